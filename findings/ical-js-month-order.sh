#!/usr/bin/env bash
# ical.js 2.2.1: the order in which a rule lists its months changes its dates.
# Guess: the values of a part are a set, and RFC 5545, section 3.3.10 gives their order no meaning. Estimated
# taxes are due in April, June, September and January, in this order (Form 1040-ES).
# So: in a monthly rule that lists January last, the January within the rule is left out. There is no reminder
# of the payment of January.
#
# Output seen on 2026-11-29:
#   FREQ=MONTHLY;BYMONTH=1,4,6,9;BYMONTHDAY=15;UNTIL=20270430:
#     2026-04-15 2026-06-15 2026-09-15 2027-01-15 2027-04-15
#   FREQ=MONTHLY;BYMONTH=4,6,9,1;BYMONTHDAY=15;UNTIL=20270430:
#     2026-04-15 2026-06-15 2026-09-15 2027-04-15
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical.js@2.2.1

seen=$(node --input-type=module - <<'END'
import ICAL from "ical.js";
for (const rule of [
  "FREQ=MONTHLY;BYMONTH=1,4,6,9;BYMONTHDAY=15;UNTIL=20270430",
  "FREQ=MONTHLY;BYMONTH=4,6,9,1;BYMONTHDAY=15;UNTIL=20270430",
]) {
  const times = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString("2026-04-15"));
  const dates = [];
  for (let date = times.next(); date; date = times.next()) dates.push(date.toString());
  console.log(`${rule}:\n  ${dates.join(" ")}`);
}
END
)

expected=$(cat <<'END'
FREQ=MONTHLY;BYMONTH=1,4,6,9;BYMONTHDAY=15;UNTIL=20270430:
  2026-04-15 2026-06-15 2026-09-15 2027-01-15 2027-04-15
FREQ=MONTHLY;BYMONTH=4,6,9,1;BYMONTHDAY=15;UNTIL=20270430:
  2026-04-15 2026-06-15 2026-09-15 2027-04-15
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
