#!/usr/bin/env bash
# n8n-workflow 2.41.0: a date of a spreadsheet becomes the day before in American time zones.
# Guess: `toDateTime('excel')` makes of a serial number of Excel, which has no zone, that date in the zone of
# the workflow, as `toDateTime()` does with the text 2026-12-01.
# So: the number is taken as midnight in UTC, and then moved into that zone. West of Greenwich the date is the
# day before, and an appointment at noon is one at 7:00.
#
# Output seen on 2026-11-29:
#   America/New_York, 2026-12-01: 2026-12-01 00:00
#   America/New_York, 46357: 2026-11-30 19:00
#   America/New_York, 46357.5: 2026-12-01 07:00
#   Asia/Tokyo, 2026-12-01: 2026-12-01 00:00
#   Asia/Tokyo, 46357: 2026-12-01 09:00
#   Asia/Tokyo, 46357.5: 2026-12-01 21:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const require = createRequire(`${process.cwd()}/`);
const { extend } = require("n8n-workflow/dist/cjs/extensions/expression-extension.js");
const { Settings } = createRequire(require.resolve("n8n-workflow"))("luxon");
for (const zone of ["America/New_York", "Asia/Tokyo"]) {
  Settings.defaultZone = zone;
  for (const [value, ...format] of [["2026-12-01"], [46357, "excel"], [46357.5, "excel"]])
    console.log(`${zone}, ${value}: ${extend(value, "toDateTime", format).toFormat("yyyy-MM-dd HH:mm")}`);
}
END
)

expected=$(cat <<'END'
America/New_York, 2026-12-01: 2026-12-01 00:00
America/New_York, 46357: 2026-11-30 19:00
America/New_York, 46357.5: 2026-12-01 07:00
Asia/Tokyo, 2026-12-01: 2026-12-01 00:00
Asia/Tokyo, 46357: 2026-12-01 09:00
Asia/Tokyo, 46357.5: 2026-12-01 21:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
