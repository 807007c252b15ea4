#!/usr/bin/env bash
# json-schema-faker 0.6.3: a sample of the format `duration` is not always a duration.
# Guess: a sample is valid by its schema, whatever the seed is. In a duration, hours, minutes or seconds
# follow the T, and days stand before it (RFC 3339, appendix A; JSON Schema 2020-12, validation, section
# 7.3.1).
# So: the default seed gives `PT0D`, and other seeds give a T with nothing after it. A mock server that is
# made with it answers with a length that a client with a check of formats refuses.
#
# Output seen on 2026-11-29:
#   not valid: PT0D, P0DT, P76Y20DT, P62YT, P6DT, P98Y6M30DT
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts json-schema-faker@0.6.3

seen=$(node --input-type=module - <<'END'
import { generate } from "json-schema-faker";
const valid = /^P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?!$)(\d+H)?(\d+M)?(\d+S)?)?)$/;
const wrong = new Set();
for (let seed = 1; seed <= 100; seed++) {
  const sample = await generate({ type: "string", format: "duration" }, { seed });
  if (!valid.test(sample)) wrong.add(sample);
}
console.log(`not valid: ${[...wrong].join(", ")}`);
END
)

expected=$(cat <<'END'
not valid: PT0D, P0DT, P76Y20DT, P62YT, P6DT, P98Y6M30DT
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
