#!/usr/bin/env bash
# mcporter 0.12.3: a tool call that a server answers with an error is made a second time.
# Guess: a call is sent once, and its error is reported. A tool that says `idempotentHint: false` may have an
# additional effect when it is called again (MCP 2025-11-25, schema, ToolAnnotations).
# So: for a server with `"lifecycle": "keep-alive"`, each JSON-RPC error but an invalid request, method or
# parameter closes the server, and the call is repeated, whatever the tool says of itself. A line on stderr
# tells of it. The README says of that setting only that the server stays warm, and docs/daemon.md that a
# daemon that died is started again. Where the booking was made before the error, there are two.
#
# Output seen on 2026-11-30:
#   ephemeral: one call, bookings made: 1
#   keep-alive: one call, bookings made: 2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mcporter@0.12.3 @modelcontextprotocol/sdk@1.32.2
mkdir config
cat >server.mjs <<'END'
import { appendFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
const server = new Server({ name: "practice", version: "1.0.0" }, { capabilities: { tools: {} } });
const annotations = { readOnlyHint: false, idempotentHint: false };
const tools = [{ name: "book", inputSchema: { type: "object" }, annotations }];
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, () => {
  appendFileSync(new URL("bookings", import.meta.url), "1\n");
  throw new McpError(-32000, "Booked, but no email was sent");
});
await server.connect(new StdioServerTransport());
END

mcporter() {
  HOME=$folder timeout 60 node node_modules/mcporter/dist/cli.js "$@" >/dev/null 2>&1 || true
}
seen=$(for lifecycle in ephemeral keep-alive; do
  rm -f bookings
  cat >config/mcporter.json <<END
{ "mcpServers": { "practice": { "command": "node", "args": ["$folder/server.mjs"], "lifecycle": "$lifecycle" } } }
END
  mcporter call practice.book
  echo "$lifecycle: one call, bookings made: $(wc -l <bookings)"
  mcporter daemon stop
done)

expected=$(cat <<'END'
ephemeral: one call, bookings made: 1
keep-alive: one call, bookings made: 2
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
