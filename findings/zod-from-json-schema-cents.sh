#!/usr/bin/env bash
# zod-from-json-schema 0.5.6: amounts in cents such as 19.99 are no multiple of 0.01.
# Guess: `multipleOf` becomes that of zod, which takes 19.99. The rule is about the number that was written (JSON
# Schema 2020-12, validation, section 6.2.1).
# So: it compares the remainder of two floating-point numbers with zero. 0.01, 0.5 and 150 are accepted, and 19.99
# is refused. Which prices a client can be billed is left to chance.
#
# Output seen on 2026-11-29:
#   0.01: converted true, zod true
#   0.5: converted true, zod true
#   19.99: converted false, zod true
#   150: converted true, zod true
#   1.005: converted false, zod false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts zod-from-json-schema@0.5.6 zod@4.6.7

seen=$(node --input-type=module - <<'END'
import * as z from "zod";
import { convertJsonSchemaToZod } from "zod-from-json-schema";
const schema = { type: "number", multipleOf: 0.01 };
for (const amount of [0.01, 0.5, 19.99, 150, 1.005]) {
  const converted = convertJsonSchemaToZod(schema).safeParse(amount).success;
  console.log(`${amount}: converted ${converted}, zod ${z.number().multipleOf(0.01).safeParse(amount).success}`);
}
END
)

expected=$(cat <<'END'
0.01: converted true, zod true
0.5: converted true, zod true
19.99: converted false, zod true
150: converted true, zod true
1.005: converted false, zod false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
