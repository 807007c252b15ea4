#!/usr/bin/env bash
# @zuplo/mcp 0.0.32: a field with a default is listed as required.
# Guess: the server fills in the default, so the input schema of the tool does not require the field. The
# server does accept a call without it.
# So: `tools/list` gives the schema of the value after the default was filled in, where the field is always
# there. A model asks the client for what need not be asked. A client that checks its calls refuses one that
# the server takes.
#
# Output seen on 2026-11-29:
#   required: start, minutes
#   called without minutes: {"start":"2026-12-02T15:00:00Z","minutes":45}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @zuplo/mcp@0.0.32 zod@4.6.7

seen=$(node --input-type=module - <<'END'
import { MCPServer } from "@zuplo/mcp/server";
import { ZodValidator } from "@zuplo/mcp/tools/zod";
import { HTTPStreamableTransport } from "@zuplo/mcp/transport/httpstreamable";
import * as z from "zod";
const server = new MCPServer({ name: "example", version: "1" });
server.addTool({
  name: "book",
  description: "Books a consult",
  validator: new ZodValidator(z.object({ start: z.string(), minutes: z.number().default(45) })),
  handler: async (input) => ({ content: [{ type: "text", text: JSON.stringify(input) }], isError: false }),
});
const transport = new HTTPStreamableTransport();
await transport.connect();
server.withTransport(transport);
const call = async (method, params) => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const request = new Request("https://mcp.example/", { method: "POST", headers, body });
  const response = await transport.handleRequest(request);
  return (await response.json()).result;
};
const { tools } = await call("tools/list", {});
console.log(`required: ${tools[0].inputSchema.required.join(", ")}`);
const { content } = await call("tools/call", { name: "book", arguments: { start: "2026-12-02T15:00:00Z" } });
console.log(`called without minutes: ${content[0].text}`);
END
)

expected=$(cat <<'END'
required: start, minutes
called without minutes: {"start":"2026-12-02T15:00:00Z","minutes":45}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
