#!/usr/bin/env bash
# business-days-js 2.3.0: Friday, 24 December 2027, is a business day.
# Guess: a day on which a public holiday is kept is no business day. Christmas Day is on a Saturday in 2027,
# and is kept on that Friday. The documentation says that, if Christmas Day is on a Saturday, the Friday is a
# public holiday.
# So: of several entries of date-holidays for a day, only the first is looked at. That is Christmas Eve, which
# is no public holiday. So it was in 2021, too.
#
# Output seen on 2026-11-30:
#   2026-07-03: Independence Day (substitute day), public
#     is a business day: false
#   2027-12-24: Christmas Eve, optional; Christmas Day (substitute day), public
#     is a business day: true
#   from Thursday, 23 December, to Monday, 27 December: 2 business days
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts business-days-js@2.3.0 date-holidays@3.37.0 dayjs@1.11.23

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import { createRequire } from "node:module";
import Holidays from "date-holidays";
const businessDays = createRequire(import.meta.url)("business-days-js");
const calendar = (businessDays.default ?? businessDays)();
for (const day of ["2026-07-03", "2027-12-24"]) {
  const entries = new Holidays("US").isHoliday(new Date(`${day}T12:00:00-05:00`));
  console.log(`${day}:`, entries.map(({ name, type }) => `${name}, ${type}`).join("; "));
  console.log("  is a business day:", calendar.check(day));
}
const { businessDays: count } = calendar.countDays("2027-12-23", "2027-12-27");
console.log(`from Thursday, 23 December, to Monday, 27 December: ${count} business days`);
END
)

expected=$(cat <<'END'
2026-07-03: Independence Day (substitute day), public
  is a business day: false
2027-12-24: Christmas Eve, optional; Christmas Day (substitute day), public
  is a business day: true
from Thursday, 23 December, to Monday, 27 December: 2 business days
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
