#!/usr/bin/env bash
# ng-openapi-gen 1.1.0: `const: true` becomes the type of the text "true".
# Guess: `const` keeps the type of its value. OpenAPI 3.1 has it from JSON Schema 2020-12 (validation, section
# 6.1.3), and the README says that 3.1 is supported.
# So: each truthy value is put between quotation marks. TypeScript then refuses `if (answer.retryable ===
# true)` as never true. It accepts the comparison with the text, which is never true at run time. The retry is
# never offered.
#
# Output seen on 2026-11-29:
#   code: 'busy';
#   retryable: 'true';
#   days: '5';
#   left: any;
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ng-openapi-gen@1.1.0 typescript@5.9.3

seen=$(node --input-type=module - <<'END'
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
const properties = { code: { const: "busy" }, retryable: { const: true }, days: { const: 5 }, left: { const: 0 } };
const openapi = {
  openapi: "3.1.0",
  info: { title: "Example", version: "1" },
  paths: {},
  components: { schemas: { Refusal: { type: "object", required: Object.keys(properties), properties } } },
};
writeFileSync("openapi.json", JSON.stringify(openapi));
const command = ["ng-openapi-gen", "--input", "openapi.json", "--output", "api", "--ignoreUnusedModels", "false"];
execFileSync("npx", command, { stdio: "ignore" });
const written = readFileSync("api/models/refusal.ts", "utf8");
for (const name of Object.keys(properties)) console.log(written.match(new RegExp(`${name}: .*`))[0]);
END
)

expected=$(cat <<'END'
code: 'busy';
retryable: 'true';
days: '5';
left: any;
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
