#!/usr/bin/env bash
# mt940js 1.3.5 and mt940-js 1.0.0: an entry that is booked in January is dated to the January before.
# Guess: the entry date of a transaction (MT940, field 61), which has no year, is the one nearest to the value
# date. What has the value date 31 December and the entry date 0104 was booked four days later.
# So: both take the year of the value date, and the booking is dated almost a year before it, outside the
# statement. It happens at each turn of the year, when a practice closes its books.
#
# Output seen on 2026-11-29:
#   mt940js: value date 2026-12-31, entry date 2026-01-04
#   mt940-js: value date 2026-12-31, entry date 2026-01-04
#   closing balance on 2027-01-04
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mt940js@1.3.5 mt940-js@1.0.0 tslib@2.8.1

seen=$(node --input-type=module - <<'END'
import mt940js from "mt940js";
import mt940 from "mt940-js";
const statement = `:20:STATEMENT
:25:10020030/1234567
:28C:1/1
:60F:C261231USD1000,00
:61:2612310104C500,00NTRFINV4711
:86:Dana Roe
:62F:C270104USD1500,00
-`;
const day = (date) => date.toISOString().slice(0, 10);
const [own] = new mt940js.Parser().parse(statement)[0].transactions;
console.log(`mt940js: value date ${day(own.date)}, entry date ${day(own.entryDate)}`);
const [{ transactions: [other], closingBalance }] = await mt940.read(Buffer.from(statement));
console.log(`mt940-js: value date ${other.valueDate}, entry date ${other.entryDate}`);
console.log(`closing balance on ${closingBalance.date}`);
END
)

expected=$(cat <<'END'
mt940js: value date 2026-12-31, entry date 2026-01-04
mt940-js: value date 2026-12-31, entry date 2026-01-04
closing balance on 2027-01-04
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
