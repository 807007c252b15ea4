#!/usr/bin/env bash
# rrule-temporal 2.2.8: a rule for the first workday of the year takes a Saturday.
# Guess: beside BYYEARDAY, BYDAY limits the days (RFC 5545, section 3.3.10, the table, note 2), so that of the
# first three days of a year the workdays are left, and BYSETPOS=1 is the first of them.
# So: BYDAY has no effect there, without an error. Beside BYMONTHDAY it has. Rules of this form are in the
# time zones that the Calendar Server of Apple writes (libical, issue 97).
#
# Output seen on 2026-11-30:
#   BYMONTH=1;BYMONTHDAY=1,2,3: Fri 2027-01-01, Mon 2028-01-03, Mon 2029-01-01
#   BYYEARDAY=1,2,3: Fri 2027-01-01, Sat 2028-01-01, Mon 2029-01-01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule-temporal@2.2.8

seen=$(node --input-type=module - <<'END'
import { RRuleTemporal } from "rrule-temporal";
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
for (const days of ["BYMONTH=1;BYMONTHDAY=1,2,3", "BYYEARDAY=1,2,3"]) {
  const rule = `FREQ=YEARLY;${days};BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3`;
  const dates = new RRuleTemporal({ rruleString: `DTSTART:20270101T150000Z\nRRULE:${rule}` }).all();
  console.log(`${days}: ${dates.map((date) => `${weekdays[date.dayOfWeek - 1]} ${date.toPlainDate()}`).join(", ")}`);
}
END
)

expected=$(cat <<'END'
BYMONTH=1;BYMONTHDAY=1,2,3: Fri 2027-01-01, Mon 2028-01-03, Mon 2029-01-01
BYYEARDAY=1,2,3: Fri 2027-01-01, Sat 2028-01-01, Mon 2029-01-01
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
