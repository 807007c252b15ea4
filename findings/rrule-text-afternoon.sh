#!/usr/bin/env bash
# rrule 2.8.1: `every day at 2pm` is two o'clock at night.
# Guess: `RRule.fromText` gives the rule of a text, or fails where it cannot, as it does for `every other week`. The
# documentation calls its support of texts incomplete, and does not say that a part of a text may be left out.
# So: what stands after a number that it understands is passed over: `pm`, `:30`, and the day of `April 15`, so that
# the deadline of a tax return is due on the day on which its rule begins. `2nd and 4th Monday` is the fourth Monday if
# it is the 2nd of the month, which it never is.
#
# Output seen on 2026-12-01:
#   every day at 14: RRULE:FREQ=DAILY;BYHOUR=14
#   every day at 2pm: RRULE:FREQ=DAILY;BYHOUR=2
#   every Monday at 9:30: RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=9
#   every year on April 15: RRULE:FREQ=YEARLY;BYMONTH=4
#   every month on the 1st and 15th: RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15
#   every month on the 2nd and 4th Monday: RRULE:FREQ=MONTHLY;BYMONTHDAY=2;BYDAY=+4MO
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule@2.8.1

seen=$(node --input-type=module - <<'END'
import rrule from "rrule";
const { RRule } = rrule;
for (const text of [
  "every day at 14",
  "every day at 2pm",
  "every Monday at 9:30",
  "every year on April 15",
  "every month on the 1st and 15th",
  "every month on the 2nd and 4th Monday",
]) {
  console.log(`${text}: ${RRule.fromText(text)}`);
}
END
)

expected=$(cat <<'END'
every day at 14: RRULE:FREQ=DAILY;BYHOUR=14
every day at 2pm: RRULE:FREQ=DAILY;BYHOUR=2
every Monday at 9:30: RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=9
every year on April 15: RRULE:FREQ=YEARLY;BYMONTH=4
every month on the 1st and 15th: RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15
every month on the 2nd and 4th Monday: RRULE:FREQ=MONTHLY;BYMONTHDAY=2;BYDAY=+4MO
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
