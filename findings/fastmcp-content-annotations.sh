#!/usr/bin/env bash
# fastmcp 4.20.16: a tool that annotates its content has failed, after it did its work.
# Guess: a server passes on content with `annotations` or `_meta`, as MCP 2025-11-25 allows (Tools, Tool
# Result).
# So: the result is refused as having unrecognized keys, and the client gets `isError: true`. The booking is
# made, and the model is told that it is not, and may make it again.
#
# Output seen on 2026-11-29:
#   plain: Booked: 1
#   annotated: Unrecognized key, an error
#   with _meta: Unrecognized key, an error
#   plain: Booked: 4
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts fastmcp@4.20.16

seen=$(node --input-type=module - <<'END'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const code = `
  import { FastMCP } from "fastmcp";
  const server = new FastMCP({ name: "example", version: "1.0.0" });
  let bookings = 0;
  const add = (name, extra) =>
    server.addTool({
      name, description: name,
      execute: async () => ({ content: [{ type: "text", text: "Booked: " + ++bookings, ...extra }] }),
    });
  add("plain", {});
  add("annotated", { annotations: { audience: ["user"] } });
  add("with _meta", { _meta: { "example.com/id": "1" } });
  server.start({ transportType: "stdio" });
`;
const client = new Client({ name: "example", version: "1" });
const args = ["--input-type=module", "--eval", code];
await client.connect(new StdioClientTransport({ command: "node", args, stderr: "ignore" }));
for (const name of ["plain", "annotated", "with _meta", "plain"]) {
  const { isError, content } = await client.callTool({ name });
  const text = /Booked: .|Unrecognized key/.exec(content[0].text)[0];
  console.log(`${name}: ${text}${isError ? ", an error" : ""}`);
}
await client.close();
END
)

expected=$(cat <<'END'
plain: Booked: 1
annotated: Unrecognized key, an error
with _meta: Unrecognized key, an error
plain: Booked: 4
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
