#!/usr/bin/env bash
# @genkit-ai/mcp 1.42.0: a tool with `prefixItems` in its input is listed, and fails at each call.
# Guess: an input schema of JSON Schema 2020-12 is understood. It is the dialect of an MCP tool that names
# none (MCP 2025-11-25, JSON Schema Usage). A word that is not known should be passed over (core, section
# 6.5).
# So: Genkit checks by draft 7, and it throws at the word before it asks the server. Loading the tools gives
# no error. The person gets an error each time the model calls the tool.
#
# Output seen on 2026-11-29:
#   practice/plain: answered
#   practice/pair: Error: strict mode: unknown keyword: "prefixItems"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @genkit-ai/mcp@1.42.0 genkit@1.42.0 @modelcontextprotocol/sdk@1.32.2

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import { createMcpHost } from "@genkit-ai/mcp";
import { genkit } from "genkit";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const pair = { type: "array", prefixItems: [{ type: "string" }, { type: "string" }] };
const tool = (name, properties) => ({ name, inputSchema: { type: "object", properties } });
const tools = [tool("plain", { from: { type: "string" } }), tool("pair", { between: pair })];
const http = createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const server = new Server({ name: "example", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text: "answered" }] }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(0, "127.0.0.1");
await once(http, "listening");
const url = `http://127.0.0.1:${http.address().port}/mcp`;
const host = createMcpHost({ name: "host", mcpServers: { practice: { url } } });
for (const action of await host.getActiveTools(genkit({}))) {
  const seen = await action({}).catch((error) => `${error.name}: ${error.message}`);
  console.log(`${action.__action.name}: ${seen}`);
}
process.exit();
END
)

expected=$(cat <<'END'
practice/plain: answered
practice/pair: Error: strict mode: unknown keyword: "prefixItems"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
