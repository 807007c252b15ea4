#!/usr/bin/env bash
# json-schema-faker 0.6.3: a sample of the format `duration` is no duration.
# Guess: a sample is valid by its schema. A duration of no time is `P0D` or `PT0S`: days stand before the T (RFC 3339,
# appendix A; JSON Schema 2020-12, validation, section 7.3.1).
# So: each sample is `PT0D`. A mock server that is made with it answers with the length of a consult that each client
# with a check of formats refuses.
#
# Output seen on 2026-11-29:
#   PT0D: not valid
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts json-schema-faker@0.6.3

seen=$(node --input-type=module - <<'END'
import { generate } from "json-schema-faker";
const samples = new Set();
for (let count = 0; count < 100; count++) samples.add(await generate({ type: "string", format: "duration" }));
for (const sample of samples) {
  const valid = /^P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?!$)(\d+H)?(\d+M)?(\d+S)?)?)$/.test(sample);
  console.log(`${sample}: ${valid ? "valid" : "not valid"}`);
}
END
)

expected=$(cat <<'END'
PT0D: not valid
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
