#!/usr/bin/env bash
# openapi-mcp-generator 4.0.1: a request that was refused is a tool call that went well.
# Guess: an answer 409 becomes a tool result with `isError: true`, as MCP 2025-11-25 has it for errors of an
# API (Tools, Error Handling).
# So: the result has no `isError`, whatever the status is, also where no server answered. A host that looks at
# it shows the refusal as done.
#
# Output seen on 2026-12-01:
#   200: isError undefined, API Response (Status: 200)
#   409: isError undefined, API Error: Status 409 (Conflict)
#   no answer: isError undefined, API Network Error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-mcp-generator@4.0.1

seen=$(node --input-type=module - <<'END'
import { execFileSync, execSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
const api = createServer(({ url }, answer) => {
  answer.writeHead(url === "/taken" ? 409 : 200, { "Content-Type": "application/json" });
  answer.end('{"booked":false}');
});
await new Promise((listening) => api.listen(0, "127.0.0.1", listening));
const path = (operationId) => ({ post: { operationId, responses: { 200: { description: "Booked" } } } });
const paths = { "/free": path("free"), "/taken": path("taken") };
const servers = [{ url: `http://127.0.0.1:${api.address().port}` }];
writeFileSync("openapi.json", JSON.stringify({ openapi: "3.1.0", info: { title: "X", version: "1" }, servers, paths }));
execFileSync("npx", ["openapi-mcp-generator", "--input", "openapi.json", "--output", "out"], { stdio: "ignore" });
execSync("npm install --silent --no-audit --no-fund --ignore-scripts && npx tsc", { cwd: "out", stdio: "ignore" });
const sdk = (part) => {
  const require = createRequire(`${process.cwd()}/out/`);
  return import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${part}`).replace("/cjs/", "/esm/")));
};
const { Client } = await sdk("client/index.js");
const { StdioClientTransport } = await sdk("client/stdio.js");
const client = new Client({ name: "host", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: "node", args: ["out/build/index.js"], stderr: "ignore" }));
const call = async (what, name) => {
  const { isError, content } = await client.callTool({ name, arguments: {} });
  console.log(`${what}: isError ${isError}, ${/^[^\n]*?(?=:\n|\. |: No)/.exec(content[0].text)[0]}`);
};
await call("200", "free");
await call("409", "taken");
api.closeAllConnections();
await new Promise((closed) => api.close(closed));
await call("no answer", "free");
process.exit();
END
)

expected=$(cat <<'END'
200: isError undefined, API Response (Status: 200)
409: isError undefined, API Error: Status 409 (Conflict)
no answer: isError undefined, API Network Error
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
