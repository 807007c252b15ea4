#!/usr/bin/env bash
# business-days-js 2.3.0: on a machine in UTC, Saturdays in November are business days.
# Guess: business days in the US are the same on each machine. The documentation says that weekends and eleven
# public holidays are none, and the package counts in the zone America/New_York itself.
# So: a count that begins before summer time ends goes on at 23:00 of the day before, and looks there for
# weekends and holidays. Veterans Day counts, and eleven business days after 28 October is a Saturday. On a
# machine in New York, they are 10 November and 13 November, and the count is 9.
#
# Output seen on 2026-11-30:
#   Wednesday, Veterans Day, is a business day: false
#   9 business days after 28 October: Wednesday, 11 November
#   11 business days after 28 October: Saturday, 14 November
#   from 28 October to 11 November: 10 business days, 0 holidays
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts business-days-js@2.3.0 date-holidays@3.37.0 dayjs@1.11.23

seen=$(TZ=UTC node --input-type=module - <<'END'
import { createRequire } from "node:module";
const businessDays = createRequire(import.meta.url)("business-days-js");
const calendar = (businessDays.default ?? businessDays)();
console.log("Wednesday, Veterans Day, is a business day:", calendar.check("2026-11-11"));
for (const days of [9, 11]) {
  const day = calendar.addDays("2026-10-28", days);
  console.log(`${days} business days after 28 October: ${day.format("dddd, D MMMM")}`);
}
const { businessDays: count, holidays } = calendar.countDays("2026-10-28", "2026-11-11");
console.log(`from 28 October to 11 November: ${count} business days, ${holidays} holidays`);
END
)

expected=$(cat <<'END'
Wednesday, Veterans Day, is a business day: false
9 business days after 28 October: Wednesday, 11 November
11 business days after 28 October: Saturday, 14 November
from 28 October to 11 November: 10 business days, 0 holidays
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
