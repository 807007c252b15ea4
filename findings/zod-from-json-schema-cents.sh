#!/usr/bin/env bash
# zod-from-json-schema 0.5.6: amounts in cents such as 19.99 are no multiple of 0.01.
# Guess: 19.99 is accepted, since the rule is about the number that was written (JSON Schema 2020-12,
# validation, section 6.2.1). The README promises that floating-point precision is handled, and zod itself
# accepts 19.99.
# So: the allowance for rounding does not grow with the amount. 0.01, 0.5 and 150 are accepted, and 19.99 is
# refused. A client cannot be billed $19.99.
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
