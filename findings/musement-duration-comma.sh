#!/usr/bin/env bash
# @musement/iso-duration 1.0.0: half an hour, written with a comma, is no time at all.
# Guess: PT0,5H is half an hour, as PT0.5H is. The README says that it takes duration strings of ISO 8601,
# where a comma or a point stands before a fraction (ISO 8601:2004, section 4.2.2.4).
# So: of a number with a comma, only what stands before the comma is read, without an error.
#
# Output seen on 2026-12-01:
#   PT0.5H: PT0.5H
#   PT0,5H: P0D
#   PT1.5H: PT1.5H
#   PT1,5H: PT1H
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @musement/iso-duration@1.0.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { isoDuration } = createRequire(`${process.cwd()}/`)("@musement/iso-duration");
for (const text of ["PT0.5H", "PT0,5H", "PT1.5H", "PT1,5H"]) {
  console.log(`${text}: ${isoDuration(text)}`);
}
END
)

expected=$(cat <<'END'
PT0.5H: PT0.5H
PT0,5H: P0D
PT1.5H: PT1.5H
PT1,5H: PT1H
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
