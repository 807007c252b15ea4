#!/usr/bin/env bash
# @mastra/mcp 2.0.0: beside structured content, the content of a tool's answer is lost.
# Guess: a text and a link reach the model also where the answer has structured content. Both are parts of one result,
# and a link is content only (MCP 2025-11-25, Tools, Tool Result).
# So: the structured content is returned alone. The page to pay at, or what the server has to say to the person, is not
# in what the model gets, unless the server repeats it there.
#
# Output seen on 2026-11-29:
#   practice_plain: {"content":[{"type":"text","text":"Made, not paid yet."},{"name":"Page to pay at","uri":"https://pay.example/1","type":"resource_link"}]}
#   practice_structured: {"id":"pl_1"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @mastra/mcp@2.0.0 @mastra/core@1.71.0 @modelcontextprotocol/sdk@1.32.2

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import { MCPClient } from "@mastra/mcp";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const content = [
  { type: "text", text: "Made, not paid yet." },
  { type: "resource_link", uri: "https://pay.example/1", name: "Page to pay at" },
];
const tool = (name, outputSchema) => ({ name, inputSchema: { type: "object" }, outputSchema });
const tools = [tool("plain"), tool("structured", { type: "object", properties: { id: { type: "string" } } })];
const http = createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const server = new Server({ name: "example", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    params.name === "plain" ? { content } : { content, structuredContent: { id: "pl_1" } },
  );
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(0, "127.0.0.1");
await once(http, "listening");
const url = new URL(`http://127.0.0.1:${http.address().port}/mcp`);
const client = new MCPClient({ servers: { practice: { url } } });
for (const [name, { execute }] of Object.entries(await client.listTools()))
  console.log(`${name}: ${JSON.stringify(await execute({}, {}))}`);
await client.disconnect();
http.close();
http.closeAllConnections();
END
)

expected=$(cat <<'END'
practice_plain: {"content":[{"type":"text","text":"Made, not paid yet."},{"name":"Page to pay at","uri":"https://pay.example/1","type":"resource_link"}]}
practice_structured: {"id":"pl_1"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
