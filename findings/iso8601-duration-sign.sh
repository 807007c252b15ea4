#!/usr/bin/env bash
# iso8601-duration 2.1.4: the sign of a duration is passed over.
# Guess: `-PT15M`, which iCalendar writes for an alarm before an event (RFC 5545, section 3.8.6.3), is a
# quarter of an hour back, or an error, as `P0.5D` is: signs are not supported, as its documentation says.
# So: it is read as `PT15M`, and a reminder that is due a quarter of an hour before the appointment comes a
# quarter of an hour after its start. tinyduration tells of the sign.
#
# Output seen on 2026-11-29:
#   PT15M: 2026-12-01T15:15:00.000Z
#     tinyduration: {"minutes":15}
#   -PT15M: 2026-12-01T15:15:00.000Z
#     tinyduration: {"minutes":15,"negative":true}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts iso8601-duration@2.1.4 tinyduration@3.4.1

seen=$(node --input-type=module - <<'END'
import { end, parse } from "iso8601-duration";
import * as tiny from "tinyduration";
const start = new Date("2026-12-01T15:00:00Z");
for (const text of ["PT15M", "-PT15M"]) {
  console.log(`${text}: ${end(parse(text), start).toISOString()}`);
  console.log(`  tinyduration: ${JSON.stringify(tiny.parse(text))}`);
}
END
)

expected=$(cat <<'END'
PT15M: 2026-12-01T15:15:00.000Z
  tinyduration: {"minutes":15}
-PT15M: 2026-12-01T15:15:00.000Z
  tinyduration: {"minutes":15,"negative":true}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
