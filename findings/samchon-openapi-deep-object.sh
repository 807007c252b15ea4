#!/usr/bin/env bash
# @samchon/openapi 6.0.1: of a `deepObject` parameter, the fields are sent without its name.
# Guess: `{"state":"open"}` in the parameter `filter` is sent as `filter[state]=open` (OpenAPI 3.1, Style
# Values). The README has OpenAPI 3.0 and 3.1 as fully supported.
# So: the model is shown `state` as a parameter of its own, and it is sent as such. A server that does not
# know it answers with all invoices, which the model takes for the open ones.
#
# Output seen on 2026-11-30:
#   the model is shown: state, from, limit
#   {"limit":20}: /invoices?limit=20
#   {"limit":20,"state":"open"}: /invoices?limit=20&state=open
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @samchon/openapi@6.0.1

seen=$(node --input-type=module - <<'END'
import { createServer } from "node:http";
import { once } from "node:events";
import { HttpLlm, OpenApi } from "@samchon/openapi";
let asked;
const http = createServer(({ url }, response) => {
  asked = decodeURIComponent(url);
  response.writeHead(200, { "content-type": "application/json" }).end("[]");
}).listen(0, "127.0.0.1");
await once(http, "listening");
const filter = { type: "object", properties: { state: { type: "string" }, from: { type: "string" } } };
const parameters = [
  { name: "filter", in: "query", style: "deepObject", explode: true, schema: filter },
  { name: "limit", in: "query", schema: { type: "integer" } },
];
const content = { "application/json": { schema: { type: "array", items: {} } } };
const paths = { "/invoices": { get: { parameters, responses: { 200: { description: "", content } } } } };
const document = OpenApi.convert({ openapi: "3.1.0", info: { title: "Example", version: "1" }, paths });
const application = HttpLlm.application({ document });
const [func] = application.functions;
const shown = Object.values(func.parameters.$defs).flatMap(({ properties }) => Object.keys(properties));
console.log(`the model is shown: ${shown.join(", ")}`);
const connection = { host: `http://127.0.0.1:${http.address().port}` };
for (const query of [{ limit: 20 }, { limit: 20, state: "open" }]) {
  await HttpLlm.execute({ application, function: func, connection, input: { query } });
  console.log(`${JSON.stringify(query)}: ${asked}`);
}
process.exit();
END
)

expected=$(cat <<'END'
the model is shown: state, from, limit
{"limit":20}: /invoices?limit=20
{"limit":20,"state":"open"}: /invoices?limit=20&state=open
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
