#!/usr/bin/env bash
# oazapfts 7.5.0: a range of status codes makes a client that does not parse.
# Guess: `4XX`, which OpenAPI defines as a key of `responses`, becomes `number` or a union of codes.
# So: the key is written as it is into a type (`status: 4XX`), the program ends with success, and TypeScript
# refuses the file.
#
# Output seen on 2026-11-28:
#   generator: success
#   status: 4XX
#   first error: An identifier or keyword cannot immediately follow a numeric literal.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts oazapfts@7.5.0 typescript@5.9.3

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "Example", "version": "1"},
 "paths": {"/a": {"get": {"operationId": "readA", "responses": {"204": {"description": "done"},
  "4XX": {"description": "refused", "content": {"application/problem+json": {"schema": {"type": "object"}}}}}}}},
 "components": {"schemas": {}}}
END
npx oazapfts openapi.json client.ts >log.txt 2>&1
seen=$(echo "generator: success"; grep -o 'status: 4XX' client.ts; node --input-type=module - <<'END'
import { readFileSync } from "node:fs";
import ts from "typescript";
const { diagnostics } = ts.transpileModule(readFileSync("client.ts", "utf8"), { reportDiagnostics: true });
console.log(`first error: ${diagnostics[0]?.messageText ?? "none"}`);
END
)

expected=$(cat <<'END'
generator: success
status: 4XX
first error: An identifier or keyword cannot immediately follow a numeric literal.
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
