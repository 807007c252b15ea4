#!/usr/bin/env bash
# @google/adk 2.0.0: what a tool's schema refers to is lost.
# Guess: a field that is a `$ref` to `$defs` reaches the model with its fields. The input schema of an MCP
# tool is JSON Schema 2020-12 (MCP 2025-11-25, Tools). That has both words (core, sections 8.2.3.1 and 8.2.4).
# So: the model is told of an object without fields. Nothing says that something is missing. The model sends
# `{}` or guesses the names, and the tool refuses the call.
#
# Output seen on 2026-11-29:
#   inline: {"type":"OBJECT","properties":{"name":{"type":"STRING"}},"required":["name"]}
#   referred: {"type":"OBJECT","properties":{}}
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
const person = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const inputSchema = {
  type: "object",
  properties: { inline: person, referred: { $ref: "#/$defs/person" } },
  $defs: { person },
};
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
inline: {"type":"OBJECT","properties":{"name":{"type":"STRING"}},"required":["name"]}
referred: {"type":"OBJECT","properties":{}}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
