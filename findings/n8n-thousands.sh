#!/usr/bin/env bash
# n8n-workflow 2.41.0: `toInt()` makes 1 of $1,234.
# Guess: since it takes the sign of a currency away, it reads an amount as people write it, or it refuses a
# comma as `toFloat()` and `toNumber()` do.
# So: it stops at the comma without an error, and an invoice over $1,234 is one over a dollar.
#
# Output seen on 2026-11-29:
#   toInt, $234: 234
#   toInt, $1,234: 1
#   toFloat, $234: 234
#   toFloat, $1,234: refused
#   toNumber, $234: 234
#   toNumber, $1,234: refused
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
for (const name of ["toInt", "toFloat", "toNumber"])
  for (const text of ["$234", "$1,234"]) {
    let seen = "refused";
    try {
      seen = extend(text, name, []);
    } catch {}
    console.log(`${name}, ${text}: ${seen}`);
  }
END
)

expected=$(cat <<'END'
toInt, $234: 234
toInt, $1,234: 1
toFloat, $234: 234
toFloat, $1,234: refused
toNumber, $234: 234
toNumber, $1,234: refused
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
