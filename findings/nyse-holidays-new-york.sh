#!/usr/bin/env bash
# nyse-holidays 1.2.0: in New York, the holidays of its stock exchange are a day late.
# Guess: `isHoliday(new Date("2021-01-01"))` is true, as the documentation has it.
# So: the day is taken in the zone of the machine, and that instant is in the evening before in all of
# America. In New York, the documented example is false, Christmas is no holiday, and the day after it is one.
#
# Output seen on 2026-11-30:
#   2021-01-01: false
#   2026-12-25: false
#   2026-12-26: true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts nyse-holidays@1.2.0

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import { isHoliday } from "nyse-holidays";
for (const day of ["2021-01-01", "2026-12-25", "2026-12-26"]) console.log(`${day}: ${isHoliday(new Date(day))}`);
END
)

expected=$(cat <<'END'
2021-01-01: false
2026-12-25: false
2026-12-26: true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
