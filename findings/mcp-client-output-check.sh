#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2: the client checks a structured answer only after it has listed the tools.
# Guess: `callTool` checks an answer by the tool's `outputSchema` always, or never. The SDK's own server sends
# only what its own client takes.
# So: the same call passes before `listTools` and throws after it. The server publishes the schema of a zod
# object as closed (`additionalProperties: false`), checks the answer with zod, which lets the extra member
# through, and sends that member.
#
# Output seen on 2026-11-28:
#   before listTools: {"count":1,"unit":"day"}
#   after listTools: refused, data must NOT have additional properties
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
import { z } from "zod";
const server = new McpServer({ name: "server", version: "1" });
server.registerTool("count", { outputSchema: { count: z.number() } }, async () => ({
  content: [], structuredContent: { count: 1, unit: "day" },
}));
const client = new Client({ name: "client", version: "1" });
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
await client.connect(near);
const call = () => client.callTool({ name: "count" }).then(
  (answer) => JSON.stringify(answer.structuredContent),
  (error) => `refused, ${error.message.split(": ").at(-1)}`,
);
console.log(`before listTools: ${await call()}`);
await client.listTools();
console.log(`after listTools: ${await call()}`);
END
)

expected=$(cat <<'END'
before listTools: {"count":1,"unit":"day"}
after listTools: refused, data must NOT have additional properties
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
