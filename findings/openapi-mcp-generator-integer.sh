#!/usr/bin/env bash
# openapi-mcp-generator 4.0.1: a whole number becomes any number.
# Guess: the input of the tool keeps `integer`. OpenAPI 3.1 and MCP both have it from JSON Schema 2020-12
# (validation, section 6.1.1).
# So: it becomes `number`, except under `additionalProperties`. The agent may send 12.5 cents, and the
# generated server lets them through. The API then refuses the invoice.
#
# Output seen on 2026-11-29:
#   amount_cents: {"type":"number","minimum":50}
#   by_item: {"type":"object","additionalProperties":{"type":"integer"}}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-mcp-generator@4.0.1

seen=$(node --input-type=module - <<'END'
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
const properties = {
  amount_cents: { type: "integer", minimum: 50 },
  by_item: { type: "object", additionalProperties: { type: "integer" } },
};
const content = { "application/json": { schema: { type: "object", properties } } };
const post = { operationId: "bill", requestBody: { required: true, content }, responses: {} };
const info = { title: "Example", version: "1" };
const servers = [{ url: "https://api.example" }];
writeFileSync("openapi.json", JSON.stringify({ openapi: "3.1.0", info, servers, paths: { "/invoices": { post } } }));
execFileSync("npx", ["openapi-mcp-generator", "--input", "openapi.json", "--output", "out"], { stdio: "ignore" });
const [, inputSchema] = readFileSync("out/src/index.ts", "utf8").match(/inputSchema: (\{.*\}),/);
for (const [name, schema] of Object.entries(JSON.parse(inputSchema).properties.requestBody.properties))
  console.log(`${name}: ${JSON.stringify(schema)}`);
END
)

expected=$(cat <<'END'
amount_cents: {"type":"number","minimum":50}
by_item: {"type":"object","additionalProperties":{"type":"integer"}}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
