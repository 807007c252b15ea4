#!/usr/bin/env bash
# js-excel-date-convert 1.0.2: a time in the second half of a day is written as the next day.
# Guess: `toExcelDate` writes what `fromExcelDate` reads: a day with its part for the time, as spreadsheets have it
# (ISO/IEC 29500-1, section 18.17.4: the time is the fraction of the serial number).
# So: it rounds to a whole day. A consult on December 1 at 22:00 UTC is on December 2 in the sheet, without its time.
#
# Output seen on 2026-11-29:
#   46357.75 is read as 2026-12-01T18:00:00.000Z
#   2026-12-01T00:00:00.000Z is written 46357, which is 2026-12-01T00:00:00.000Z
#   2026-12-01T10:00:00.000Z is written 46357, which is 2026-12-01T00:00:00.000Z
#   2026-12-01T22:00:00.000Z is written 46358, which is 2026-12-02T00:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts js-excel-date-convert@1.0.2

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { fromExcelDate, toExcelDate } = createRequire(`${process.cwd()}/`)("js-excel-date-convert");
console.log(`46357.75 is read as ${fromExcelDate(46357.75).toISOString()}`);
for (const time of ["2026-12-01T00:00:00.000Z", "2026-12-01T10:00:00.000Z", "2026-12-01T22:00:00.000Z"]) {
  const serial = toExcelDate(new Date(time));
  console.log(`${time} is written ${serial}, which is ${fromExcelDate(serial).toISOString()}`);
}
END
)

expected=$(cat <<'END'
46357.75 is read as 2026-12-01T18:00:00.000Z
2026-12-01T00:00:00.000Z is written 46357, which is 2026-12-01T00:00:00.000Z
2026-12-01T10:00:00.000Z is written 46357, which is 2026-12-01T00:00:00.000Z
2026-12-01T22:00:00.000Z is written 46358, which is 2026-12-02T00:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
