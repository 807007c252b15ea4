#!/usr/bin/env bash
# @openai/agents-core 0.20.0: a model is told that a tool takes fields which the tool refuses.
# Guess: the input schema of an MCP tool reaches the model as the server wrote it, unless strict mode is asked
# for.
# So: without strict mode `additionalProperties: false` becomes `true`. A model that adds a field of its own
# is then refused by the server, for what its schema allowed. Closed schemas further inside stay closed.
#
# Output seen on 2026-11-29:
#   strict: false
#   more fields, as the server says: false
#   more fields, as the model is told: true
#   more fields further inside: false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @openai/agents-core@0.20.0 zod@4.6.7

seen=$(node --input-type=module - <<'END'
import { mcpToFunctionTool } from "@openai/agents-core";
const closed = { type: "object", properties: {}, required: [], additionalProperties: false };
const inputSchema = { ...closed, properties: { client: closed } };
const { parameters, strict } = mcpToFunctionTool({ name: "book", inputSchema }, { name: "server" }, false);
console.log(`strict: ${strict}`);
console.log(`more fields, as the server says: ${inputSchema.additionalProperties}`);
console.log(`more fields, as the model is told: ${parameters.additionalProperties}`);
console.log(`more fields further inside: ${parameters.properties.client.additionalProperties}`);
END
)

expected=$(cat <<'END'
strict: false
more fields, as the server says: false
more fields, as the model is told: true
more fields further inside: false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
