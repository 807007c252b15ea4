#!/usr/bin/env bash
# dayjs-business-time 1.0.4: from Monday to Tuesday are two business days.
# Guess: `businessDaysDiff` counts from one date to the other. The README shows this at ten in the morning. A
# date without a time is the usual way to write a term.
# So: from midnight to midnight both days are counted. `addBusinessDays` of the same library counts one. A
# client who is told by this count that ten days are over is told so a day early.
#
# Output seen on 2026-11-29:
#   2026-11-30 and one business day: 2026-12-01, 2 apart
#   2026-11-30 10:00 and one business day: 2026-12-01, 1 apart
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts dayjs@1.11.23 dayjs-business-time@1.0.4

seen=$(node --input-type=module - <<'END'
import dayjs from "dayjs";
import businessTime from "dayjs-business-time";
dayjs.extend(businessTime);
for (const time of ["", " 10:00"]) {
  const start = dayjs(`2026-11-30${time}`);
  const end = start.addBusinessDays(1);
  const apart = start.businessDaysDiff(end);
  console.log(`2026-11-30${time} and one business day: ${end.format("YYYY-MM-DD")}, ${apart} apart`);
}
END
)

expected=$(cat <<'END'
2026-11-30 and one business day: 2026-12-01, 2 apart
2026-11-30 10:00 and one business day: 2026-12-01, 1 apart
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
