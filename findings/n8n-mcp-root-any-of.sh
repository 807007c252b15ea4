#!/usr/bin/env bash
# @n8n/n8n-nodes-langchain 2.41.1: the MCP Client Tool calls a tool without any arguments.
# Guess: a tool that wants a client's id or an email address gets the one that the model gave. Beside `type:
# object`, an input schema may have `anyOf` (MCP 2025-11-25, Tools: JSON Schema 2020-12).
# So: where the schema has `anyOf`, `oneOf` or `allOf` at its top, the model is told to put everything in a
# field `value`. That field is then taken out, since the schema does not name it, and `{}` is sent. A search
# for one client finds all, and the node reports success.
#
# Output seen on 2026-11-30:
#   find: the model is shown client_id, email
#   find: of {"email":"jane@example.com"} the server gets {"email":"jane@example.com"}
#   find_by_either: the model is shown value
#   find_by_either: of {"value":{"email":"jane@example.com"}} the server gets {}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm pack --silent @n8n/n8n-nodes-langchain@2.41.1 >/dev/null
tar xzf *.tgz
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps n8n-core@2.41.1 n8n-workflow@2.41.0 \
  @n8n/ai-utilities@0.34.1 @n8n/di@0.17.0 @n8n/json-schema-to-zod@1.16.0 @n8n/utils@1.48.0 @langchain/core@1.2.8 \
  @modelcontextprotocol/sdk@1.26.0 generate-schema@2.6.0 lodash@4.18.1 zod@3.25.76

seen=$(node --input-type=module - <<'END' 2>/dev/null | grep '^find'
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
const require = createRequire(`${process.cwd()}/`);
const { toJsonSchema } = require("@langchain/core/utils/json_schema");
const { Server } = require("@modelcontextprotocol/sdk/server/index.js");
const { StreamableHTTPServerTransport } = require("@modelcontextprotocol/sdk/server/streamableHttp.js");
const { CallToolRequestSchema, ListToolsRequestSchema } = require("@modelcontextprotocol/sdk/types.js");
const { McpClientTool } = require("./package/dist/nodes/mcp/McpClientTool/McpClientTool.node.js");
const fields = { type: "object", properties: { client_id: { type: "string" }, email: { type: "string" } } };
const tools = [
  { name: "find", inputSchema: fields },
  { name: "find_by_either", inputSchema: { ...fields, anyOf: [{ required: ["client_id"] }, { required: ["email"] }] } },
];
const http = createServer(async (request, response) => {
  const server = new Server({ name: "example", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params.arguments) }],
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(0, "127.0.0.1");
await once(http, "listening");
const parameters = {
  authentication: "none",
  endpointUrl: `http://127.0.0.1:${http.address().port}`,
  include: "all",
  serverTransport: "httpStreamable",
};
const secureEgressFilter = { validateUrl: async () => ({ ok: true }), createSecureLookup: () => undefined };
const context = (json) => ({
  addOutputData: () => {},
  getExecutionCancelSignal: () => undefined,
  getExecutionId: () => undefined,
  getInputData: () => [{ json }],
  getNode: () => ({ name: "clients", type: "mcpClientTool", typeVersion: 1.4, parameters: {} }),
  getNodeParameter: (name, _, otherwise) => parameters[name] ?? otherwise,
  helpers: { getSecureEgressFilter: () => secureEgressFilter },
  logger: console,
});
const node = new McpClientTool();
const { response } = await node.supplyData.call(context(), 0);
for (const { name } of tools) {
  const { schema } = response.tools.find((tool) => tool.name === `clients_${name}`);
  const shown = Object.keys(toJsonSchema(schema).properties);
  console.log(`${name}: the model is shown ${shown.join(", ")}`);
  const email = { email: "jane@example.com" };
  const input = shown.includes("value") ? { value: email } : email;
  const [[{ json }]] = await node.execute.call(context({ tool: `clients_${name}`, ...input }));
  console.log(`${name}: of ${JSON.stringify(input)} the server gets ${json.response[0].text}`);
}
process.exit();
END
)

expected=$(cat <<'END'
find: the model is shown client_id, email
find: of {"email":"jane@example.com"} the server gets {"email":"jane@example.com"}
find_by_either: the model is shown value
find_by_either: of {"value":{"email":"jane@example.com"}} the server gets {}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
