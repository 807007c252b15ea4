#!/usr/bin/env bash
# @18f/us-federal-holidays 4.0.0: New Year's Day is missing from the days of December on which it is kept.
# Guess: `inRange` lists the days for which `isAHoliday` is true. When 1 January is a Saturday, the holiday is
# kept on the Friday before (5 U.S.C. 6103(b)). So it is in 2027.
# So: `inRange` looks through the years of the range only. That Friday belongs to the next year. A range that
# ends with the year has a business day too many, and a client is given a day on which the office is closed.
#
# Output seen on 2026-11-29:
#   isAHoliday, 31 December 2027: true
#   inRange, 25 December 2027 to 2027-12-31: none
#   inRange, 25 December 2027 to 2028-01-01: 2027-12-31
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @18f/us-federal-holidays@4.0.0

seen=$(node --input-type=module - <<'END'
import holidays from "@18f/us-federal-holidays";
process.env.TZ = "UTC";
const day = new Date("2027-12-31");
console.log(`isAHoliday, 31 December 2027: ${holidays.isAHoliday(day, { utc: true })}`);
for (const end of ["2027-12-31", "2028-01-01"]) {
  const found = holidays.inRange(new Date("2027-12-25"), new Date(end));
  console.log(`inRange, 25 December 2027 to ${end}: ${found.map(({ dateString }) => dateString).join(" ") || "none"}`);
}
END
)

expected=$(cat <<'END'
isAHoliday, 31 December 2027: true
inRange, 25 December 2027 to 2027-12-31: none
inRange, 25 December 2027 to 2028-01-01: 2027-12-31
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
