#!/usr/bin/env bash
# @kubb/plugin-client 4.39.3: with `client: "fetch"`, an error is the result of the call.
# Guess: a call that is answered with 409 rejects, as it does with axios. The generated function names the
# problem as the type of what it throws (`ResponseErrorConfig`), and the booking as that of its result.
# So: the status is not looked at, and the problem is given back as a booking. Code that awaits the call, and
# each query and mutation built on it, takes a refusal for success and tells the client of a consult that is
# not booked.
#
# Output seen on 2026-11-30:
#   axios, 201: the result is {"booking_id":"bk_1"}
#   axios, 409: an error
#   fetch, 201: the result is {"booking_id":"bk_1"}
#   fetch, 409: the result is {"code":"slot_taken"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm pkg set type=module
npm install --silent --no-audit --no-fund --ignore-scripts @kubb/core@4.39.3 @kubb/cli@4.39.3 @kubb/plugin-oas@4.39.3 \
  @kubb/plugin-ts@4.39.3 @kubb/plugin-client@4.39.3 typescript@5.9.3 axios@1.13.2

seen=$(node --input-type=module - <<'END'
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
const answer = (name, type) => ({
  description: "",
  content: { [type]: { schema: { type: "object", properties: { [name]: { type: "string" } } } } },
});
const responses = { 201: answer("booking_id", "application/json"), 409: answer("code", "application/problem+json") };
const paths = { "/bookings": { post: { operationId: "book", responses } } };
writeFileSync("openapi.json", JSON.stringify({ openapi: "3.1.0", info: { title: "Example", version: "1" }, paths }));
const answers = {
  201: ["application/json", '{"booking_id":"bk_1"}'],
  409: ["application/problem+json", '{"code":"slot_taken"}'],
};
let status;
const http = createServer((_, response) => {
  const [type, body] = answers[status];
  response.writeHead(status, { "content-type": type }).end(body);
}).listen(0, "127.0.0.1");
await once(http, "listening");
const baseURL = `http://127.0.0.1:${http.address().port}`;
for (const client of ["axios", "fetch"]) {
  writeFileSync("kubb.config.js", `
    import { pluginClient } from "@kubb/plugin-client";
    import { pluginOas } from "@kubb/plugin-oas";
    import { pluginTs } from "@kubb/plugin-ts";
    const plugins = [pluginOas(), pluginTs(), pluginClient({ client: "${client}" })];
    export default { root: ".", input: { path: "openapi.json" }, output: { path: "${client}" }, plugins };
  `);
  execFileSync("npx", ["kubb", "generate"], { stdio: "ignore" });
  const module = ["--module", "esnext", "--moduleResolution", "bundler", "--rewriteRelativeImportExtensions"];
  const output = ["--target", "es2022", "--skipLibCheck", "--outDir", `${client}/js`, `${client}/clients/book.ts`];
  execFileSync("npx", ["tsc", ...module, ...output]);
  const { book } = await import(`${process.cwd()}/${client}/js/clients/book.js`);
  for (status of [201, 409]) {
    const seen = await book({ baseURL }).then((data) => `the result is ${JSON.stringify(data)}`, () => "an error");
    console.log(`${client}, ${status}: ${seen}`);
  }
}
process.exit();
END
)

expected=$(cat <<'END'
axios, 201: the result is {"booking_id":"bk_1"}
axios, 409: an error
fetch, 201: the result is {"booking_id":"bk_1"}
fetch, 409: the result is {"code":"slot_taken"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
