#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2: `resetTimeoutOnProgress` does nothing without `onprogress`.
# Guess: the option alone keeps a long call alive while the server reports progress.
# So: the client sends a progress token only when `onprogress` is set. Without it the server has no token, may
# not report, and the call times out. An `onprogress` that does nothing is enough.
#
# Output seen on 2026-11-28:
#   option alone: MCP error -32001: Request timed out
#   with onprogress: answered
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 zod@4.4.3

seen=$(node --input-type=module - <<'END'
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
const server = new McpServer({ name: "server", version: "1" });
server.registerTool("slow", {}, async ({ _meta, sendNotification }) => {
  const progressToken = _meta?.progressToken;
  for (let progress = 1; progress <= 8; progress++) {
    await new Promise((done) => setTimeout(done, 250));
    if (progressToken !== undefined) {
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress } });
    }
  }
  return { content: [] };
});
const client = new Client({ name: "client", version: "1" });
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
await client.connect(near);
const call = (options) => client.callTool({ name: "slow" }, undefined, { timeout: 1000, ...options })
  .then(() => "answered", (error) => error.message);
console.log(`option alone: ${await call({ resetTimeoutOnProgress: true })}`);
console.log(`with onprogress: ${await call({ resetTimeoutOnProgress: true, onprogress: () => {} })}`);
END
)

expected=$(cat <<'END'
option alone: MCP error -32001: Request timed out
with onprogress: answered
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
