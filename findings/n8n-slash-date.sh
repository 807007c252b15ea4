#!/usr/bin/env bash
# n8n-workflow 2.41.0: 12/01/2026 becomes another day than 2026-12-01.
# Guess: `toDateTime()` reads a date without a zone in the zone of the workflow, however it is written.
# So: what is no ISO date is read in the zone of the machine, and then moved. On a server in UTC, 12/01/2026
# and Dec 1, 2026 are the last of November in a workflow in New York; a time of day is five hours off, too.
#
# Output seen on 2026-11-29:
#   2026-12-01: 2026-12-01 00:00
#   12/01/2026: 2026-11-30 19:00
#   Dec 1, 2026: 2026-11-30 19:00
#   2026-12-01 14:00: 2026-12-01 14:00
#   12/01/2026 2:00 PM: 2026-12-01 09:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
process.env.TZ = "UTC";
const require = createRequire(`${process.cwd()}/`);
const { extend } = require("n8n-workflow/dist/cjs/extensions/expression-extension.js");
const { Settings } = createRequire(require.resolve("n8n-workflow"))("luxon");
Settings.defaultZone = "America/New_York";
for (const text of ["2026-12-01", "12/01/2026", "Dec 1, 2026", "2026-12-01 14:00", "12/01/2026 2:00 PM"])
  console.log(`${text}: ${extend(text, "toDateTime", []).toFormat("yyyy-MM-dd HH:mm")}`);
END
)

expected=$(cat <<'END'
2026-12-01: 2026-12-01 00:00
12/01/2026: 2026-11-30 19:00
Dec 1, 2026: 2026-11-30 19:00
2026-12-01 14:00: 2026-12-01 14:00
12/01/2026 2:00 PM: 2026-12-01 09:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
