#!/usr/bin/env bash
# @langchain/mcp-adapters 1.1.4: a nullable field of an MCP tool reaches the model without its type.
# Guess: the input schema of a tool (MCP 2025-11-25, Tools) is passed on as JSON Schema.
# So: an `anyOf` or `oneOf` of a type and `null` becomes `{}`, and its format and limits go with it. A schema
# library writes a nullable field so. Only the form `type: ["string", "null"]` is kept. Nothing is reported.
#
# Output seen on 2026-11-29:
#   plain: {"type":"string","format":"date"}
#   list: {"type":["string","null"],"format":"date"}
#   anyOf: {}
#   oneOf: {"description":"Due date"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0

seen=$(node --input-type=module - <<'END'
import { loadMcpTools } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const date = { type: "string", format: "date" };
const properties = {
  plain: date,
  list: { ...date, type: ["string", "null"] },
  anyOf: { anyOf: [date, { type: "null" }] },
  oneOf: { oneOf: [date, { type: "null" }], description: "Due date" },
};
const server = new Server({ name: "example", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: "invoice", inputSchema: { type: "object", properties } }],
}));
const client = new Client({ name: "example", version: "1" });
const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(far), client.connect(near)]);
const [tool] = await loadMcpTools("example", client);
for (const [name, schema] of Object.entries(tool.schema.properties))
  console.log(`${name}: ${JSON.stringify(schema)}`);
await client.close();
END
)

expected=$(cat <<'END'
plain: {"type":"string","format":"date"}
list: {"type":["string","null"],"format":"date"}
anyOf: {}
oneOf: {"description":"Due date"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
