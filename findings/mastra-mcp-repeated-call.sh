#!/usr/bin/env bash
# @mastra/mcp 2.0.0: a tool call whose answer is lost is made a second time.
# Guess: a tool that says `idempotentHint: false` is called once. Calling it again can have an additional
# effect (MCP 2025-11-25, schema, ToolAnnotations). Whether a call took effect is not known when the
# connection is cut.
# So: for `fetch failed` and `connection closed` the client connects again and repeats the call, whatever the
# tool says of itself. The agent hears of one booking, and there are two. An answer with status 503 is not
# repeated.
#
# Output seen on 2026-11-30:
#   answered: 1 booking, the agent is told Booked 1
#   answered with 503: 1 booking, the agent is told an error
#   cut after the booking: 2 bookings, the agent is told Booked 2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @mastra/mcp@2.0.0 @mastra/core@1.71.0 \
  zod@4.6.7

seen=$(node --input-type=module - <<'END' 2>/dev/null | grep booking
import { createServer } from "node:http";
import { once } from "node:events";
import { MCPClient } from "@mastra/mcp";
const annotations = { readOnlyHint: false, idempotentHint: false };
const tools = [{ name: "book", inputSchema: { type: "object" }, annotations }];
let bookings = 0;
let fault;
const http = createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const { id, method, params } = JSON.parse((await request.toArray()).join(""));
  if (id === undefined) return response.writeHead(202).end();
  const answer = (result) => {
    const body = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
  };
  const { protocolVersion } = params ?? {};
  if (method === "initialize")
    return answer({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "example", version: "1" } });
  if (method === "tools/list") return answer({ tools });
  if (method !== "tools/call") return answer();
  bookings += 1;
  if (bookings === 1 && fault === "cut after the booking") return request.socket.destroy();
  if (bookings === 1 && fault === "answered with 503") return response.writeHead(503).end();
  answer({ content: [{ type: "text", text: `Booked ${bookings}` }] });
}).listen(0, "127.0.0.1");
await once(http, "listening");
const url = new URL(`http://127.0.0.1:${http.address().port}/mcp`);
for (fault of ["answered", "answered with 503", "cut after the booking"]) {
  bookings = 0;
  const { calendar_book } = await new MCPClient({ id: fault, servers: { calendar: { url } } }).listTools();
  const told = await calendar_book.execute({}, {}).then(({ content }) => content[0].text, () => "an error");
  console.log(`${fault}: ${bookings} booking${bookings > 1 ? "s" : ""}, the agent is told ${told}`);
}
process.exit();
END
)

expected=$(cat <<'END'
answered: 1 booking, the agent is told Booked 1
answered with 503: 1 booking, the agent is told an error
cut after the booking: 2 bookings, the agent is told Booked 2
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
