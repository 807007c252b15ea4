#!/usr/bin/env bash
# typed-openapi 2.2.7: `null` in an enum becomes the text "null".
# Guess: `["a", "b", null]` becomes `"a" | "b" | null`.
# So: the type also takes the text "null", which the schema refuses. A switch over the values
# has a branch that no answer takes, and a request with that text compiles.
#
# Output seen on 2026-11-28:
#   kind: (("a" | "b" | "null") | null)
#   the text "null" compiles: yes
#   the text "c" compiles: no
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts typed-openapi@2.2.7 typescript@5.9.3

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "Example", "version": "1"},
 "paths": {"/a": {"get": {"operationId": "readA", "responses": {"200": {"description": "ok",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}}}}},
 "components": {"schemas": {"Thing": {"type": "object", "required": ["kind"],
  "properties": {"kind": {"type": ["string", "null"], "enum": ["a", "b", null]}}}}}}
END
npx typed-openapi openapi.json -o schema.ts >log.txt 2>&1
compiles() {
  echo "import type { Schemas } from './schema'; export const thing: Schemas.Thing = { kind: '$1' };" >use.ts
  npx tsc --noEmit --strict --target es2022 --moduleResolution bundler --module esnext use.ts >log.txt &&
    echo yes || echo no
}
seen=$(grep -o 'kind: [^}]*null)' schema.ts
  echo "the text \"null\" compiles: $(compiles null)"
  echo "the text \"c\" compiles: $(compiles c)")

expected=$(cat <<'END'
kind: (("a" | "b" | "null") | null)
the text "null" compiles: yes
the text "c" compiles: no
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
