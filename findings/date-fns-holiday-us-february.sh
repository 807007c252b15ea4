#!/usr/bin/env bash
# date-fns-holiday-us 1.1.0: the third Monday in February is no federal holiday.
# Guess: `isFederalHoliday` and `getFederalHolidays` know the eleven holidays of 5 U.S.C. 6103, of which
# Washington's Birthday is one.
# So: they have ten. That Monday is told as a bank holiday and not as a federal one, so that what is due to
# the IRS on that day, which the law puts off to the next, is held to be due.
#
# Output seen on 2026-11-29:
#   10 federal holidays
#   Mon Jan 18 2027: bank holiday true, federal holiday true
#   Mon Feb 15 2027: bank holiday true, federal holiday false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts date-fns-holiday-us@1.1.0 date-fns@4.4.0

seen=$(node --input-type=module - <<'END'
import { getFederalHolidays, isBankHoliday, isFederalHoliday } from "date-fns-holiday-us";
console.log(`${Object.keys(getFederalHolidays(2027)).length} federal holidays`);
for (const [month, day] of [[0, 18], [1, 15]]) {
  const date = new Date(2027, month, day);
  console.log(`${date.toDateString()}: bank holiday ${isBankHoliday(date)}, federal holiday ${isFederalHoliday(date)}`);
}
END
)

expected=$(cat <<'END'
10 federal holidays
Mon Jan 18 2027: bank holiday true, federal holiday true
Mon Feb 15 2027: bank holiday true, federal holiday false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
