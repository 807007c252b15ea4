#!/usr/bin/env bash
# @voltagent/core 2.10.0: an agent has the tools of the first page only.
# Guess: a client goes on while a server gives `nextCursor`, as MCP asks of it (2025-06-18, pagination). How
# many tools are on a page is up to the server.
# So: `getTools` asks once. The tools of all other pages are missing, without an error. An agent that can list
# the free times and preview a booking has no tool to book it.
#
# Output seen on 2026-11-30:
#   tools of the agent: calendar_list, calendar_preview
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @voltagent/core@2.10.0 ai@6.0.326 \
  @modelcontextprotocol/sdk@1.30.0 zod@4.6.7

seen=$(node --input-type=module - <<'END' 2>/dev/null | grep '^tools'
import { createServer } from "node:http";
import { once } from "node:events";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { MCPConfiguration } from "@voltagent/core";
const page = (...names) => ({ tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) });
const http = createServer(async (request, response) => {
  const server = new Server({ name: "calendar", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor === "2" ? page("book") : { ...page("list", "preview"), nextCursor: "2" });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(0, "127.0.0.1");
await once(http, "listening");
const url = `http://127.0.0.1:${http.address().port}`;
const client = new MCPConfiguration({ servers: { calendar: { type: "streamable-http", url } } });
console.log(`tools of the agent: ${(await client.getTools()).map((tool) => tool.name).join(", ")}`);
process.exit();
END
)

expected=$(cat <<'END'
tools of the agent: calendar_list, calendar_preview
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
