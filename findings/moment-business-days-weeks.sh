#!/usr/bin/env bash
# moment-business-days 1.2.0: the business weeks of a month contain the holidays.
# Guess: the weeks of `monthBusinessWeeks` hold the business days of `monthBusinessDays`, as the README says that each
# week has its own business days. A holiday that was set is no business day.
# So: only weekends are left out of the weeks. Christmas Day is a business day in them. A plan of consults by week
# offers it.
#
# Output seen on 2026-11-29:
#   isBusinessDay: false
#   monthBusinessDays: false
#   monthBusinessWeeks: true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts moment@2.30.1 moment-business-days@1.2.0

seen=$(TZ=UTC node --input-type=module - <<'END'
import moment from "moment-business-days";
moment.updateLocale("en", { holidays: ["2026-12-25"], holidayFormat: "YYYY-MM-DD" });
const month = moment("2026-12-01");
const christmas = (days) => days.some((day) => day.format("MM-DD") === "12-25");
console.log(`isBusinessDay: ${moment("2026-12-25").isBusinessDay()}`);
console.log(`monthBusinessDays: ${christmas(month.monthBusinessDays())}`);
console.log(`monthBusinessWeeks: ${christmas(month.monthBusinessWeeks().flat())}`);
END
)

expected=$(cat <<'END'
isBusinessDay: false
monthBusinessDays: false
monthBusinessWeeks: true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
