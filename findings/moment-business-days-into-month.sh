#!/usr/bin/env bash
# moment-business-days 1.2.0: on Sunday, 1 November, twenty-two business days of the month are over.
# Guess: `businessDaysIntoMonth` on the first day of a month that begins with a weekend is 0, and asking
# changes nothing. The documentation says that it counts the business days in the month of the moment.
# So: on a weekend, it counts those of the Friday before, also if that is in another month, and it moves the
# moment that was asked to that Friday: a consult on 1 November is on 30 October from then on.
#
# Output seen on 2026-11-30:
#   Sunday, 1 November: 22, and the consult is on 30 October
#   Monday, 2 November: 1, and the consult is on 2 November
#   Sunday, 2 August: 23, and the consult is on 31 July
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts moment-business-days@1.2.0 moment@2.31.0

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import moment from "moment-business-days";
for (const day of ["2026-11-01", "2026-11-02", "2026-08-02"]) {
  const consult = moment(`${day}T10:00`);
  const days = consult.businessDaysIntoMonth();
  console.log(`${moment(day).format("dddd, D MMMM")}: ${days}, and the consult is on ${consult.format("D MMMM")}`);
}
END
)

expected=$(cat <<'END'
Sunday, 1 November: 22, and the consult is on 30 October
Monday, 2 November: 1, and the consult is on 2 November
Sunday, 2 August: 23, and the consult is on 31 July
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
