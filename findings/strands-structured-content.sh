#!/usr/bin/env bash
# @strands-agents/sdk 1.19.0: a tool that answers with structured content only is said to have answered
# nothing.
# Guess: the model gets `structuredContent`. A text with the same beside it is a SHOULD for the server (MCP
# 2025-11-25, Tools, Structured Content). So a result may have none.
# So: only `content` is read. Where that is empty, the model is told "completed successfully with no output".
# It has neither the booking nor its id, and the person is not told of them.
#
# Output seen on 2026-11-29:
#   {"text":"Booked."}: {"toolResult":{"toolUseId":"1","status":"success","content":[{"text":"Booked."}]}}
#   {}: {"toolResult":{"toolUseId":"1","status":"success","content":[{"text":"Tool execution completed successfully with no output."}]}}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @strands-agents/sdk@1.19.0 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

seen=$(node --input-type=module - <<'END'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { McpClient } from "@strands-agents/sdk";
const outputSchema = { type: "object", properties: { booking_id: { type: "string" } }, required: ["booking_id"] };
const server = new Server({ name: "example", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: "book", inputSchema: { type: "object" }, outputSchema }],
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: params.arguments.text ? [{ type: "text", text: params.arguments.text }] : [],
  structuredContent: { booking_id: "bk_1" },
}));
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
const [tool] = await new McpClient({ transport: near }).listTools();
for (const input of [{ text: "Booked." }, {}]) {
  const steps = tool.stream({ toolUse: { name: "book", toolUseId: "1", input } });
  let step = await steps.next();
  while (!step.done) step = await steps.next();
  console.log(`${JSON.stringify(input)}: ${JSON.stringify(step.value)}`);
}
process.exit();
END
)

expected=$(cat <<'END'
{"text":"Booked."}: {"toolResult":{"toolUseId":"1","status":"success","content":[{"text":"Booked."}]}}
{}: {"toolResult":{"toolUseId":"1","status":"success","content":[{"text":"Tool execution completed successfully with no output."}]}}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
