#!/usr/bin/env bash
# @ivotoby/openapi-mcp-server 1.16.1: a list in a query is sent as one value, whatever the document says.
# Guess: a list is repeated, as in `state=open&state=paid`, unless the document has `explode: false`. That is
# the style of a query parameter that names none (OpenAPI 3.1, Parameter Object).
# So: the list is joined with a comma in both cases. A server that reads repeated parameters sees one state
# called "open,paid". It finds no invoices.
#
# Output seen on 2026-11-29:
#   /joined?state=open,paid
#   /repeated?state=open,paid
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @ivotoby/openapi-mcp-server@1.16.1 @modelcontextprotocol/sdk@1.32.2

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const api = createServer((request, response) => {
  console.log(request.url);
  response.writeHead(200, { "content-type": "application/json" });
  response.end("[]");
}).listen(0, "127.0.0.1");
await once(api, "listening");
const list = (path, explode) => {
  const schema = { type: "array", items: { type: "string" } };
  const parameters = [{ name: "state", in: "query", schema, ...explode }];
  return [path, { get: { operationId: path.slice(1), parameters, responses: { 200: { description: "" } } } }];
};
const paths = Object.fromEntries([list("/joined", { explode: false }), list("/repeated")]);
writeFileSync("openapi.json", JSON.stringify({ openapi: "3.1.0", info: { title: "Example", version: "1" }, paths }));
const options = ["--openapi-spec", "openapi.json", "--api-base-url", `http://127.0.0.1:${api.address().port}`];
const command = { command: "npx", args: ["openapi-mcp-server", ...options], stderr: "ignore" };
const client = new Client({ name: "example", version: "1" });
await client.connect(new StdioClientTransport(command));
for (const { name } of (await client.listTools()).tools)
  await client.callTool({ name, arguments: { state: ["open", "paid"] } });
await client.close();
process.exit();
END
)

expected=$(cat <<'END'
/joined?state=open,paid
/repeated?state=open,paid
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
