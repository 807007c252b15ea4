#!/usr/bin/env bash
# swagger-typescript-api 13.13.0: a required header is no parameter of the method.
# Guess: a parameter with `in: header` and `required: true` is an argument, as those of path and query are.
# So: the method names path and query only. A call without the header compiles, and the header has to be
# given through the last argument, which is the options of the request.
#
# Output seen on 2026-11-28:
#   makeA: (id: string, query: { limit: number; }, params: RequestParams = {}) =>
#   the header in the file: 0 times
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts swagger-typescript-api@13.13.0

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "Example", "version": "1"},
 "paths": {"/a/{id}": {"post": {"operationId": "makeA", "parameters": [
  {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
  {"name": "limit", "in": "query", "required": true, "schema": {"type": "integer"}},
  {"name": "Idempotency-Key", "in": "header", "required": true, "schema": {"type": "string"}}],
  "responses": {"200": {"description": "ok"}}}}}, "components": {"schemas": {}}}
END
npx swagger-typescript-api generate -p openapi.json -o out -n api.ts >log.txt 2>&1
seen=$(tr -s ' \n' ' ' <out/api.ts | grep -o 'makeA: ([^=]*= {}[^=]*=>' | sed 's/( /(/; s/, )/)/'
  echo "the header in the file: $(grep -ci 'idempotency' out/api.ts || true) times")

expected=$(cat <<'END'
makeA: (id: string, query: { limit: number; }, params: RequestParams = {}) =>
the header in the file: 0 times
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
