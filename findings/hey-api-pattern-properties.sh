#!/usr/bin/env bash
# @hey-api/openapi-ts 0.99.0: `patternProperties` becomes a type that fits and a zod schema that refuses every
# member.
# Guess: the type and the zod schema of one run agree, and `{"x-a": 1}` passes.
# So: the type says `[key: string]: number`, and the schema is `z.record(z.string(), z.never())`. Valid
# answers then fail in code that compiles.
#
# Output seen on 2026-11-28:
#   [key: string]: number
#   {"x-a": 1} passes: false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @hey-api/openapi-ts@0.99.0 typescript@5.9.3 zod@4.4.3

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "Example", "version": "1"},
 "paths": {"/a": {"get": {"operationId": "readA", "responses": {"200": {"description": "ok",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Marks"}}}}}}}},
 "components": {"schemas": {"Marks": {"type": "object",
  "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false}}}}
END
npx openapi-ts -i openapi.json -o out -p @hey-api/typescript zod >log.txt 2>&1
mv out/zod.gen.ts schemas.mjs
sed -i "s/^export type.*//" schemas.mjs
seen=$(grep -o '\[key: string\]: number' out/types.gen.ts; node --input-type=module - <<'END'
import { zMarks } from "./schemas.mjs";
console.log(`{"x-a": 1} passes: ${zMarks.safeParse({ "x-a": 1 }).success}`);
END
)

expected=$(cat <<'END'
[key: string]: number
{"x-a": 1} passes: false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
