#!/usr/bin/env bash
# @hey-api/openapi-ts 0.99.0: the zod schema of an open object drops the members that its type promises.
# Guess: `additionalProperties: true`, which a problem of RFC 9457 needs for its extension members, keeps
# them.
# So: the type has `[key: string]: unknown`, and the schema is a plain `z.object`, which removes them without
# an error. A client that validates a problem loses `balance`, the member that says what to do.
#
# Output seen on 2026-11-28:
#   [key: string]: unknown
#   {"type":"about:blank"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @hey-api/openapi-ts@0.99.0 typescript@5.9.3 zod@4.4.3

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "Example", "version": "1"},
 "paths": {"/a": {"get": {"operationId": "readA", "responses": {"200": {"description": "ok",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}}}},
 "components": {"schemas": {"Problem": {"type": "object", "required": ["type"],
  "properties": {"type": {"type": "string"}}, "additionalProperties": true}}}}
END
npx openapi-ts -i openapi.json -o out -p @hey-api/typescript zod >log.txt 2>&1
mv out/zod.gen.ts schemas.mjs
sed -i "s/^export type.*//" schemas.mjs
seen=$(grep -o '\[key: string\]: unknown' out/types.gen.ts; node --input-type=module - <<'END'
import { zProblem } from "./schemas.mjs";
console.log(JSON.stringify(zProblem.parse({ type: "about:blank", balance: 30 })));
END
)

expected=$(cat <<'END'
[key: string]: unknown
{"type":"about:blank"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
