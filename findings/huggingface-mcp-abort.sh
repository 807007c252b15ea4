#!/usr/bin/env bash
# @huggingface/mcp-client 0.2.3: after an abort, the other tool calls of the turn are still made.
# Guess: with `abortSignal`, nothing is begun once it is aborted, and what runs is cancelled with
# `notifications/cancelled` (MCP 2025-11-25, Cancellation).
# So: the signal is sent to the server as a parameter of the call, and has no effect. A person sees that the
# model books two consults and stops it at the first. Both are booked. Known: pull request 2373 of
# huggingface.js is open.
#
# Output seen on 2026-11-30:
#   the model asks for book 10:00, book 11:00
#   booked: 10:00, and the person stops it
#   booked: 11:00
#   cancelled by the client: 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @huggingface/mcp-client@0.2.3 \
  @modelcontextprotocol/sdk@1.32.2

seen=$(node --input-type=module - <<'END' 2>/dev/null
import { createServer } from "node:http";
import { once } from "node:events";
import { McpClient } from "@huggingface/mcp-client";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema, CancelledNotificationSchema, ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
const stop = new AbortController();
let cancelled = 0;
const listen = async (answer) => {
  const http = createServer(answer).listen(0, "127.0.0.1");
  await once(http, "listening");
  return `http://127.0.0.1:${http.address().port}`;
};
const calendar = await listen(async (request, response) => {
  const server = new Server({ name: "calendar", version: "1" }, { capabilities: { tools: {} } });
  const tools = [{ name: "book", inputSchema: { type: "object" } }];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setNotificationHandler(CancelledNotificationSchema, () => (cancelled += 1));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    console.log(`booked: ${params.arguments.at}${stop.signal.aborted ? "" : ", and the person stops it"}`);
    stop.abort();
    return { content: [{ type: "text", text: "Booked." }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
});
const times = ["10:00", "11:00"];
const endpointUrl = await listen((_, response) => {
  const tool_calls = times.map((at, index) => ({
    index, id: `call ${at}`, type: "function", function: { name: "book", arguments: JSON.stringify({ at }) },
  }));
  const choices = [{ index: 0, delta: { role: "assistant", tool_calls } }];
  const chunk = { object: "chat.completion.chunk", choices };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
});
const client = new McpClient({ endpointUrl, model: "example", apiKey: "key" });
await client.addMcpServer({ type: "http", config: { url: calendar } });
console.log(`the model asks for ${times.map((at) => `book ${at}`).join(", ")}`);
const messages = [{ role: "user", content: "Book Tuesday at ten and at eleven." }];
for await (const _ of client.processSingleTurnWithTools(messages, { abortSignal: stop.signal }));
console.log(`cancelled by the client: ${cancelled}`);
process.exit();
END
)

expected=$(cat <<'END'
the model asks for book 10:00, book 11:00
booked: 10:00, and the person stops it
booked: 11:00
cancelled by the client: 0
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
