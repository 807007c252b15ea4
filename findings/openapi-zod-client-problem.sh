#!/usr/bin/env bash
# openapi-zod-client 1.18.3: the schema of a problem becomes `z.void()`.
# Guess: an error response has its schema, whatever its JSON media type is.
# So: only `application/json` is read. A response with `application/problem+json` (RFC 9457) becomes
# `z.void()`, so a client cannot type what went wrong.
#
# Output seen on 2026-11-28:
#   400 application/json: z.object
#   409 application/problem+json: z.void
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-zod-client@1.18.3

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "Example", "version": "1"},
 "paths": {"/a": {"get": {"operationId": "readA", "responses": {
  "200": {"description": "ok", "content": {"application/json": {"schema": {"type": "string"}}}},
  "400": {"description": "wrong", "content": {"application/json": {
   "schema": {"$ref": "#/components/schemas/Mistake"}}}},
  "409": {"description": "taken", "content": {"application/problem+json": {
   "schema": {"$ref": "#/components/schemas/Problem"}}}}}}}},
 "components": {"schemas": {
  "Mistake": {"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}},
  "Problem": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}}}}
END
npx openapi-zod-client openapi.json -o client.ts >log.txt 2>&1
seen=$(node --input-type=module - <<'END'
import { readFileSync } from "node:fs";
const text = readFileSync("client.ts", "utf8").replaceAll(/\s+/g, " ");
const types = { 400: "application/json", 409: "application/problem+json" };
for (const [, status, schema] of text.matchAll(/status: (\d+), description: `\w+`, schema: (z\.\w+)/g)) {
  console.log(`${status} ${types[status]}: ${schema}`);
}
END
)

expected=$(cat <<'END'
400 application/json: z.object
409 application/problem+json: z.void
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
