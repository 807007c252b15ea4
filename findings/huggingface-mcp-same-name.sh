#!/usr/bin/env bash
# @huggingface/mcp-client 0.2.3: a booking for one calendar is made in another.
# Guess: of two servers that each have a tool `book`, an agent can use both, or adding the second is an error.
# A name is unique within its server only (MCP 2025-11-25, tools, Tool Names).
# So: the model is shown both tools under one name, and every call goes to the server that was added last,
# also where the description that it chose is of the first. Nothing warns. What was meant for the calendar of
# one partner is booked in that of the other.
#
# Output seen on 2026-11-30:
#   the model is shown book: Books with Dana.
#   the model is shown book: Books with Kim.
#   the model calls the first
#   booked with Kim
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
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const listen = async (answer) => {
  const http = createServer(answer).listen(0, "127.0.0.1");
  await once(http, "listening");
  return `http://127.0.0.1:${http.address().port}`;
};
const calendar = (owner) => listen(async (request, response) => {
  const server = new Server({ name: owner, version: "1" }, { capabilities: { tools: {} } });
  const tools = [{ name: "book", description: `Books with ${owner}.`, inputSchema: { type: "object" } }];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, () => {
    console.log(`booked with ${owner}`);
    return { content: [{ type: "text", text: "Booked." }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
});
const endpointUrl = await listen(async (request, response) => {
  const { tools } = JSON.parse((await request.toArray()).join(""));
  for (const { function: { name, description } } of tools) console.log(`the model is shown ${name}: ${description}`);
  const { name } = tools[0].function;
  const tool_calls = [{ index: 0, id: "1", type: "function", function: { name, arguments: "" } }];
  const chunk = { object: "chat.completion.chunk", choices: [{ index: 0, delta: { role: "assistant", tool_calls } }] };
  console.log("the model calls the first");
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
});
const client = new McpClient({ endpointUrl, model: "example", apiKey: "key" });
for (const owner of ["Dana", "Kim"]) {
  await client.addMcpServer({ type: "http", config: { url: await calendar(owner) } });
}
for await (const _ of client.processSingleTurnWithTools([{ role: "user", content: "Book with Dana." }]));
process.exit();
END
)

expected=$(cat <<'END'
the model is shown book: Books with Dana.
the model is shown book: Books with Kim.
the model calls the first
booked with Kim
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
