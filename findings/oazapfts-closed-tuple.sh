#!/usr/bin/env bash
# oazapfts 7.5.0: a closed tuple becomes an array that holds nothing.
# Guess: `prefixItems` with `items: false` (JSON Schema 2020-12: exactly these items) becomes `[string,
# number]`.
# So: the open tuple becomes `[string, number]`, and the closed one becomes `never[]`, because `items` wins
# over `prefixItems`.
#
# Output seen on 2026-11-28:
#   type Open = [ string, number ];
#   type Closed = never[];
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts oazapfts@7.5.0 typescript@5.9.3

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "Example", "version": "1"},
 "paths": {"/a": {"get": {"operationId": "readA", "responses": {"200": {"description": "ok",
  "content": {"application/json": {"schema": {"type": "object", "properties": {
    "open": {"$ref": "#/components/schemas/Open"}, "closed": {"$ref": "#/components/schemas/Closed"}}}}}}}}}},
 "components": {"schemas": {
  "Open": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
  "Closed": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}}}}
END
npx oazapfts openapi.json client.ts >log.txt 2>&1
seen=$(tr -s ' \n' ' ' <client.ts | grep -oE 'type (Open|Closed) = [^;]+;')

expected=$(cat <<'END'
type Open = [ string, number ];
type Closed = never[];
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
