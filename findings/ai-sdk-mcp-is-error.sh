#!/usr/bin/env bash
# @ai-sdk/mcp 2.0.99: a model is not told that a tool has failed.
# Guess: a result with `isError: true` reaches the model as an error, since that is how MCP lets a model see
# that a call did not work (2025-11-25, Tools, Error Handling).
# So: only its content is passed on, as of a call that went well. A refusal that does not say in its own words
# that nothing was done reads as a result.
#
# Output seen on 2026-11-29:
#   the program gets isError: true
#   the model gets {"type":"content","value":[{"type":"text","text":"Tuesday at 10:00"}]}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @ai-sdk/mcp@2.0.99 zod@4.6.7

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import { createMCPClient } from "@ai-sdk/mcp";
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "example", version: "1" },
  }),
  "tools/list": () => ({ tools: [{ name: "book", inputSchema: { type: "object", properties: {} } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: "Tuesday at 10:00" }], isError: true }),
};
const server = createServer(async (request, response) => {
  const { id, method, params } = JSON.parse((await request.toArray()).join("") || "{}");
  if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
  response.writeHead(200, { "content-type": "application/json" });
  const answer = results[method]
    ? { result: results[method](params) }
    : { error: { code: -32601, message: "Method not found" } };
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/mcp`;
const client = await createMCPClient({ transport: { type: "http", url } });
const { book } = await client.tools();
const output = await book.execute({}, { toolCallId: "1", messages: [] });
console.log(`the program gets isError: ${output.isError}`);
console.log(`the model gets ${JSON.stringify(book.toModelOutput({ toolCallId: "1", input: {}, output }))}`);
await client.close();
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
the program gets isError: true
the model gets {"type":"content","value":[{"type":"text","text":"Tuesday at 10:00"}]}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
