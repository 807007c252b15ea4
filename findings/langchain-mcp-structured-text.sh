#!/usr/bin/env bash
# @langchain/mcp-adapters 1.1.4: beside structured content, the text of a tool reaches the model as JSON, and
# twice.
# Guess: a tool that returns one text gives the model that text. The README says so: the content of the
# message is then "a string containing the text content produced by the tool". What is not for the model has
# the artifact.
# So: where a result has structured content, the model gets JSON that holds it and the text, and `_meta`, too.
# MCP 2025-11-25 asks a server for a text with the same as its structured content (Tools, Structured Content):
# the model reads everything twice, once with its quotes escaped. The artifact has it as well.
#
# Output seen on 2026-12-01:
#   text: {"booking":"7"}
#   text, structured: {"type":"text","text":"{\"booking\":\"7\"}","structuredContent":{"booking":"7"}}
#   text, _meta: {"type":"text","text":"{\"booking\":\"7\"}","meta":{"trace":"for the client"}}
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
  content: [{ type: "text", text: '{"booking":"7"}' }],
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
text: {"booking":"7"}
text, structured: {"type":"text","text":"{\"booking\":\"7\"}","structuredContent":{"booking":"7"}}
text, _meta: {"type":"text","text":"{\"booking\":\"7\"}","meta":{"trace":"for the client"}}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
