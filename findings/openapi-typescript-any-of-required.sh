#!/usr/bin/env bash
# openapi-typescript 7.13.0: an `anyOf` that only requires members turns the whole object into `unknown`.
# Guess: "at least one of email and phone" (`anyOf` of two `required` lists) leaves the properties typed.
# So: the type is `{ email?: string; phone?: string } | unknown | unknown`, which TypeScript reads as
# `unknown`. Every value then compiles as a request body, a number too.
#
# Output seen on 2026-11-28:
#   Contact: { email?: string; phone?: string; } | unknown | unknown;
#   a number compiles as a contact: yes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-typescript@7.13.0 typescript@5.9.3

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "Example", "version": "1"},
 "paths": {"/a": {"get": {"operationId": "readA", "responses": {"200": {"description": "ok",
  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Contact"}}}}}}}},
 "components": {"schemas": {"Contact": {"type": "object",
  "properties": {"email": {"type": "string"}, "phone": {"type": "string"}},
  "anyOf": [{"required": ["email"]}, {"required": ["phone"]}]}}}}
END
npx openapi-typescript openapi.json -o schema.ts >log.txt 2>&1
cat >use.ts <<'END'
import type { components } from "./schema";
export const contact: components["schemas"]["Contact"] = 7;
END
npx tsc --noEmit --strict use.ts && compiled=yes || compiled=no
seen=$(tr -s ' \n' ' ' <schema.ts | grep -o 'Contact: { email[^}]*}[^;]*;'; echo "a number compiles as a contact: $compiled")

expected=$(cat <<'END'
Contact: { email?: string; phone?: string; } | unknown | unknown;
a number compiles as a contact: yes
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
