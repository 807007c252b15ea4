#!/usr/bin/env bash
# rrule 2.8.1: the last weekday of a month is put into words as each weekday.
# Guess: `toText()` says what a rule means, or `isFullyConvertibleToText()` is false. The documentation calls
# the support of texts incomplete, and this method a hint on whether all options of a rule can be converted to
# text.
# So: BYSETPOS and BYMINUTE are left out of the words, and the method is true. A client who is shown `every
# month on weekdays` agrees to some twenty consults where there is one, and half past nine is shown as nine.
# It is known as a bug: issue 540, which is open.
#
# Output seen on 2026-12-01:
#   FREQ=MONTHLY;BYDAY=-1FR: every month on the last Friday, in full: true
#   FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1: every month on weekdays, in full: true
#   FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2: every month on Monday, in full: true
#   FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30: every week on Monday at 9, in full: true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule@2.8.1

seen=$(node --input-type=module - <<'END'
import rrule from "rrule";
const { RRule } = rrule;
for (const rule of [
  "FREQ=MONTHLY;BYDAY=-1FR",
  "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
  "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2",
  "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30",
]) {
  const read = RRule.fromString(rule);
  console.log(`${rule}: ${read.toText()}, in full: ${read.isFullyConvertibleToText()}`);
}
END
)

expected=$(cat <<'END'
FREQ=MONTHLY;BYDAY=-1FR: every month on the last Friday, in full: true
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1: every month on weekdays, in full: true
FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2: every month on Monday, in full: true
FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30: every week on Monday at 9, in full: true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
