#!/usr/bin/env bash
# @kubb/plugin-client 4.39.3: with `client: "fetch"`, a form is sent as JSON.
# Guess: a body of the type `application/x-www-form-urlencoded` is sent as `amount=5000` (OpenAPI 3.1, Support for
# x-www-form-urlencoded Request Bodies).
# So: the body is JSON under the type of a form. The server reads one field with a strange name and no amount. One that
# passes over what it does not know answers that all is well, and a change that was sent is not made.
#
# Output seen on 2026-11-30:
#   POST /links application/x-www-form-urlencoded {"amount":5000}
#   the server reads the fields {"amount":5000}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm pkg set type=module
npm install --silent --no-audit --no-fund --ignore-scripts @kubb/core@4.39.3 @kubb/cli@4.39.3 @kubb/plugin-oas@4.39.3 \
  @kubb/plugin-ts@4.39.3 @kubb/plugin-client@4.39.3 typescript@5.9.3

seen=$(node --input-type=module - <<'END'
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
const responses = { 204: { description: "" } };
const schema = { type: "object", properties: { amount: { type: "integer" } } };
const requestBody = { required: true, content: { "application/x-www-form-urlencoded": { schema } } };
const paths = { "/links": { post: { operationId: "create", requestBody, responses } } };
writeFileSync("openapi.json", JSON.stringify({ openapi: "3.1.0", info: { title: "Example", version: "1" }, paths }));
writeFileSync("kubb.config.js", `
  import { pluginClient } from "@kubb/plugin-client";
  import { pluginOas } from "@kubb/plugin-oas";
  import { pluginTs } from "@kubb/plugin-ts";
  const plugins = [pluginOas(), pluginTs(), pluginClient({ client: "fetch" })];
  export default { root: ".", input: { path: "openapi.json" }, output: { path: "made" }, plugins };
`);
execFileSync("npx", ["kubb", "generate"], { stdio: "ignore" });
const module = ["--module", "esnext", "--moduleResolution", "bundler", "--rewriteRelativeImportExtensions"];
const files = ["--outDir", "js", "made/clients/create.ts"];
execFileSync("npx", ["tsc", ...module, "--target", "es2022", "--skipLibCheck", ...files]);
const http = createServer(async (request, response) => {
  const body = (await request.toArray()).join("");
  console.log(`${request.method} ${request.url} ${request.headers["content-type"]} ${body}`);
  console.log(`the server reads the fields ${[...new URLSearchParams(body).keys()].join(", ")}`);
  response.writeHead(204).end();
}).listen(0, "127.0.0.1");
await once(http, "listening");
const baseURL = `http://127.0.0.1:${http.address().port}`;
const { create } = await import(`${process.cwd()}/js/clients/create.js`);
await create({ amount: 5000 }, { baseURL });
process.exit();
END
)

expected=$(cat <<'END'
POST /links application/x-www-form-urlencoded {"amount":5000}
the server reads the fields {"amount":5000}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
