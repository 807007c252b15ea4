#!/usr/bin/env bash
# fiscal-year 1.0.0: the last days of a fiscal year are in its first quarter.
# Guess: a year that begins within a month has its last days in its last quarter. The library takes `day`
# beside `month` for such a year. The tax year of the United Kingdom begins on 6 April, and a client may live
# there.
# So: the quarter is counted from the month alone. The year of 5 April is right, and its quarter is the first.
# A payment of that day is booked three quarters early.
#
# Output seen on 2026-11-29:
#   2026-03-31: year 2026, quarter 4
#   2026-04-05: year 2026, quarter 1
#   2026-04-06: year 2027, quarter 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts fiscal-year@1.0.0

seen=$(node --input-type=module - <<'END'
import FiscalYear from "fiscal-year";
const year = FiscalYear.default({ month: 3, day: 6 });
for (const date of ["2026-03-31", "2026-04-05", "2026-04-06"])
  console.log(`${date}: year ${year.getFiscalYear(date)}, quarter ${year.getFiscalQuarter(date)}`);
END
)

expected=$(cat <<'END'
2026-03-31: year 2026, quarter 4
2026-04-05: year 2026, quarter 1
2026-04-06: year 2027, quarter 1
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
