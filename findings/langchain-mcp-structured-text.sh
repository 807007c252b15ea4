#!/usr/bin/env bash
# @langchain/mcp-adapters 1.1.4: the text of a tool reaches the model as JSON, with what stands in it twice.
# Guess: a tool that returns one text gives the model that text. The README says so: the content of the message is
# then "a string containing the text content produced by the tool". Structured content goes to the artifact.
# So: where a result has structured content, as MCP 2025-11-25 advises beside a text, the model gets the JSON of
# both, and `_meta`, too. It pays for everything twice, and each line break is `\n`. The artifact has it as well.
#
# Output seen on 2026-12-01:
#   text: Booked.
#   text, structured: {"type":"text","text":"Booked.","structuredContent":{"booking":"7"}}
#   text, _meta: {"type":"text","text":"Booked.","meta":{"trace":"for the client"}}
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
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const more = {
  text: {},
  "text, structured": { structuredContent: { booking: "7" } },
  "text, _meta": { _meta: { trace: "for the client" } },
};
const tools = Object.keys(more).map((name, place) => ({ name: `t${place}`, inputSchema: { type: "object" } }));
const server = new Server({ name: "practice", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: "text", text: "Booked." }],
  ...Object.values(more)[Number(params.name.slice(1))],
}));
const [near, far] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: "host", version: "1.0.0" });
await Promise.all([server.connect(far), client.connect(near)]);
const loaded = await loadMcpTools("practice", client);
for (const [place, name] of Object.keys(more).entries()) {
  const message = await loaded[place].invoke({ type: "tool_call", id: "1", name: `t${place}`, args: {} });
  console.log(`${name}: ${message.content}`);
}
END
)

expected=$(cat <<'END'
text: Booked.
text, structured: {"type":"text","text":"Booked.","structuredContent":{"booking":"7"}}
text, _meta: {"type":"text","text":"Booked.","meta":{"trace":"for the client"}}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
