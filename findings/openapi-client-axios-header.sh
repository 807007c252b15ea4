#!/usr/bin/env bash
# openapi-client-axios 7.9.1: a header that is written in small letters is sent in the address.
# Guess: an argument reaches the header that the document names, in whatever case. The names of headers are
# case insensitive (OpenAPI 3.1, Parameter Locations).
# So: the names are compared letter by letter. What is not found becomes part of the query. The required key
# is then missing, and the server refuses the request.
#
# Output seen on 2026-11-29:
#   /bookings idempotency-key: k-2026-1
#   /bookings?idempotency-key=k-2026-1 idempotency-key: undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-client-axios@7.9.1 axios@1.12.2

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
import { once } from "node:events";
import { createServer } from "node:http";
const { OpenAPIClientAxios } = createRequire(`${process.cwd()}/`)("openapi-client-axios");
const server = createServer((request, response) => {
  console.log(`${request.url} idempotency-key: ${request.headers["idempotency-key"]}`);
  response.end();
}).listen(0, "127.0.0.1");
await once(server, "listening");
const key = { name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } };
const definition = {
  openapi: "3.1.0",
  info: { title: "Example", version: "1" },
  servers: [{ url: `http://127.0.0.1:${server.address().port}` }],
  paths: { "/bookings": { post: { operationId: "book", parameters: [key], responses: {} } } },
};
const client = await new OpenAPIClientAxios({ definition }).init();
await client.book({ "Idempotency-Key": "k-2026-1" });
await client.book({ "idempotency-key": "k-2026-1" });
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
/bookings idempotency-key: k-2026-1
/bookings?idempotency-key=k-2026-1 idempotency-key: undefined
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
