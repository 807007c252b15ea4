#!/usr/bin/env bash
# @google/adk 2.0.0: the limits, the format and the default of a tool's field do not reach the model.
# Guess: what JSON Schema and the schema of Gemini both have is kept. `Schema` of @google/genai has `minimum`,
# `maximum`, `maxLength`, `pattern`, `format`, `default` and `maxItems`. The input of an MCP tool is turned
# into it here.
# So: of each field the limits, the format and the default are dropped without an error. The model then offers
# amounts and times that the tool refuses.
#
# Output seen on 2026-11-29:
#   start_time: {"type":"STRING","description":"Start"}
#   timezone: {"type":"STRING"}
#   amount_cents: {"type":"INTEGER"}
#   items: {"type":"ARRAY","items":{"type":"STRING"}}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @google/adk@2.0.0 @modelcontextprotocol/sdk@1.32.2

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import { MCPToolset } from "@google/adk";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const properties = {
  start_time: { type: "string", format: "date-time", description: "Start" },
  timezone: { type: "string", default: "America/New_York", maxLength: 64 },
  amount_cents: { type: "integer", minimum: 50, maximum: 99999999 },
  items: { type: "array", items: { type: "string", pattern: "^inv_" }, maxItems: 20 },
};
const inputSchema = { type: "object", properties };
const http = createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const server = new Server({ name: "example", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: "book", inputSchema }] }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(0, "127.0.0.1");
await once(http, "listening");
const url = `http://127.0.0.1:${http.address().port}/mcp`;
const [tool] = await new MCPToolset({ type: "StreamableHTTPConnectionParams", url }).getTools();
for (const [name, schema] of Object.entries(tool._getDeclaration().parameters.properties))
  console.log(`${name}: ${JSON.stringify(schema)}`);
process.exit();
END
)

expected=$(cat <<'END'
start_time: {"type":"STRING","description":"Start"}
timezone: {"type":"STRING"}
amount_cents: {"type":"INTEGER"}
items: {"type":"ARRAY","items":{"type":"STRING"}}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
