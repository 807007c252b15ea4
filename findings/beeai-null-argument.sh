#!/usr/bin/env bash
# beeai-framework 0.1.30: an argument that is null, or left out, reaches the MCP tool as "", 0 or false.
# Guess: a valid argument is sent as it was given. Null is a value of `anyOf` with `null`, and `default` has
# no effect on validation (JSON Schema 2020-12, validation, section 9.2). Servers in Python list each optional
# field like this.
# So: the argument is changed to the first type of the `anyOf`. An email address is emptied instead of left
# alone, a fee is 0, and nobody is reminded. Of a number or a text, the ZIP code 02134 is sent as 2134.
#
# Output seen on 2026-11-30:
#   {"email":null}: {"email":""}
#   {}: {"email":""}
#   {"fee":null}: {"fee":0}
#   {"remind":null}: {"remind":false}
#   {"zip":"02134"}: {"zip":2134}
#   {"email":"jane@example.com"}: {"email":"jane@example.com"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps beeai-framework@0.1.30 zod@3.25.76 \
  @modelcontextprotocol/sdk@1.32.2

seen=$(node --input-type=module - <<'END'
import { MCPTool } from "beeai-framework/tools/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const optional = (type) => ({ anyOf: [{ type }, { type: "null" }], default: null });
const fields = {
  email: optional("string"),
  fee: optional("number"),
  remind: optional("boolean"),
  zip: { anyOf: [{ type: "integer" }, { type: "string" }] },
};
const server = new Server({ name: "example", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(fields).map(([name, schema]) => ({
    name,
    inputSchema: { type: "object", properties: { [name]: schema } },
  })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: "text", text: JSON.stringify(params.arguments) }],
}));
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
const client = new Client({ name: "example", version: "1" });
await client.connect(near);
const tools = await MCPTool.fromClient(client);
const call = async (name, input) => {
  const { result } = await tools.find((tool) => tool.name === name).run(input);
  console.log(`${JSON.stringify(input)}: ${result.content[0].text}`);
};
await call("email", { email: null });
await call("email", {});
await call("fee", { fee: null });
await call("remind", { remind: null });
await call("zip", { zip: "02134" });
await call("email", { email: "jane@example.com" });
process.exit();
END
)

expected=$(cat <<'END'
{"email":null}: {"email":""}
{}: {"email":""}
{"fee":null}: {"fee":0}
{"remind":null}: {"remind":false}
{"zip":"02134"}: {"zip":2134}
{"email":"jane@example.com"}: {"email":"jane@example.com"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
