#!/usr/bin/env bash
# date-fns-holiday-us 1.1.0: the office is open on a holiday, except at midnight.
# Guess: `isHoliday`, `isFederalHoliday` and `isBankHoliday` tell of a date whether its day is a holiday, as
# `isSameDay` and `isWeekend` of date-fns do at any time of the day.
# So: they compare with midnight to the millisecond. For now, or for the start of a booking, the answer is no
# on every holiday.
#
# Output seen on 2026-11-29:
#   Thanksgiving 2027 at 0:00: isHoliday true, isFederalHoliday true, isBankHoliday true
#   Thanksgiving 2027 at 10:00: isHoliday false, isFederalHoliday false, isBankHoliday false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts date-fns-holiday-us@1.1.0 date-fns@4.4.0

seen=$(node --input-type=module - <<'END'
import { isBankHoliday, isFederalHoliday, isHoliday } from "date-fns-holiday-us";
for (const hour of [0, 10]) {
  const date = new Date(2027, 10, 25, hour);
  const answers = [isHoliday, isFederalHoliday, isBankHoliday].map((ask) => `${ask.name} ${ask(date)}`);
  console.log(`Thanksgiving 2027 at ${hour}:00: ${answers.join(", ")}`);
}
END
)

expected=$(cat <<'END'
Thanksgiving 2027 at 0:00: isHoliday true, isFederalHoliday true, isBankHoliday true
Thanksgiving 2027 at 10:00: isHoliday false, isFederalHoliday false, isBankHoliday false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
