#!/usr/bin/env bash
# ical.js 2.2.1: of a rule for one day among several, every one of them is taken.
# Guess: `BYSETPOS` picks from what the other parts of a rule give in each month or year (RFC 5545, section
# 3.3.10), whichever parts they are: the last of 28, 29, 30 and 31, or the first working day from the 15th of
# April, which is when taxes are due.
# So: it is heeded beside `BYDAY` alone in a monthly rule. Elsewhere it is passed over without an error, so
# that one appointment a month becomes four from March on.
#
# Output seen on 2026-11-29:
#   FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4:
#     2026-01-30 2026-02-27 2026-03-31 2026-04-30
#   FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;COUNT=5:
#     2026-01-31 2026-02-28 2026-03-28 2026-03-29 2026-03-30
#   FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=15,16,17,18;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3:
#     2026-04-15 2026-04-16 2026-04-17
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical.js@2.2.1

seen=$(node --input-type=module - <<'END'
import ICAL from "ical.js";
for (const [start, rule] of [
  ["2026-01-30", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4"],
  ["2026-01-31", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;COUNT=5"],
  ["2026-04-15", "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=15,16,17,18;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3"],
]) {
  const times = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString(start));
  const dates = [];
  for (let date = times.next(); date; date = times.next()) dates.push(date.toString());
  console.log(`${rule}:\n  ${dates.join(" ")}`);
}
END
)

expected=$(cat <<'END'
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4:
  2026-01-30 2026-02-27 2026-03-31 2026-04-30
FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;COUNT=5:
  2026-01-31 2026-02-28 2026-03-28 2026-03-29 2026-03-30
FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=15,16,17,18;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3:
  2026-04-15 2026-04-16 2026-04-17
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
