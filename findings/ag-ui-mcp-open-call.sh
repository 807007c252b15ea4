#!/usr/bin/env bash
# @ag-ui/mcp-middleware 0.0.2: a tool call that an earlier run left open is made in the next run.
# Guess: the calls that are made are those of the run. "When a finished run leaves MCP tool calls open", they
# are executed (README, Behavior). CopilotKit uses this package.
# So: the whole conversation is looked through for calls without a result. After a run that was stopped, the
# person writes that nothing is to be booked, the model agrees without a call, and the booking is made. Where
# the first run had made it and only its result was lost, it is made twice.
#
# Output seen on 2026-11-30:
#   with the result of the first run: no call
#   without it: book {"at":"2026-12-01T10:00:00-05:00"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @ag-ui/mcp-middleware@0.0.2 \
  @ag-ui/client@1.0.0 rxjs@7.8.1 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

seen=$(node --input-type=module - <<'END' 2>/dev/null
import { createServer } from "node:http";
import { once } from "node:events";
import { AbstractAgent, EventType } from "@ag-ui/client";
import { MCPMiddleware } from "@ag-ui/mcp-middleware";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { from } from "rxjs";
let calls;
const http = createServer(async (request, response) => {
  const server = new Server({ name: "calendar", version: "1" }, { capabilities: { tools: {} } });
  const tools = [{ name: "book", inputSchema: { type: "object" } }];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    calls.push(`${params.name} ${JSON.stringify(params.arguments)}`);
    return { content: [{ type: "text", text: "Booked." }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(0, "127.0.0.1");
await once(http, "listening");
const url = `http://127.0.0.1:${http.address().port}`;
class Agreeing extends AbstractAgent {
  run({ threadId, runId, messages }) {
    const messageId = `answer ${messages.length}`;
    return from([
      { type: EventType.RUN_STARTED, threadId, runId },
      { type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" },
      { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: "I will not." },
      { type: EventType.TEXT_MESSAGE_END, messageId },
      { type: EventType.RUN_FINISHED, threadId, runId },
    ]);
  }
}
const call = { name: "mcp__calendar__book", arguments: '{"at":"2026-12-01T10:00:00-05:00"}' };
const result = { id: "3", role: "tool", toolCallId: "call", content: "The run was stopped." };
for (const [what, results] of [["with the result of the first run", [result]], ["without it", []]]) {
  calls = [];
  const agent = new Agreeing({
    initialMessages: [
      { id: "1", role: "user", content: "Book Tuesday at ten." },
      { id: "2", role: "assistant", toolCalls: [{ id: "call", type: "function", function: call }] },
      ...results,
      { id: "4", role: "user", content: "Stop. Book nothing." },
    ],
  });
  agent.use(new MCPMiddleware([{ type: "http", url, serverId: "calendar" }]));
  await agent.runAgent();
  console.log(`${what}: ${calls.join() || "no call"}`);
}
process.exit();
END
)

expected=$(cat <<'END'
with the result of the first run: no call
without it: book {"at":"2026-12-01T10:00:00-05:00"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
