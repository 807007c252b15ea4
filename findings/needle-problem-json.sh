#!/usr/bin/env bash
# needle 3.5.0: a problem of RFC 9457 stays text, though JSON of other types is parsed.
# Guess: a body of a type that ends in `+json` is parsed, as axios, ofetch and superagent do.
# So: `application/json` and `application/vnd.api+json` become an object, and `application/problem+json`
# becomes a string. `response.body.code` is undefined in code that reads a success well.
#
# Output seen on 2026-11-28:
#   application/json: object
#   application/vnd.api+json: object
#   application/problem+json: string
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts needle@3.5.0

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import needle from "needle";
const server = createServer((request, response) => {
  response.writeHead(409, { "content-type": `application${request.url}` });
  response.end(JSON.stringify({ title: "Taken", status: 409 }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
for (const type of ["/json", "/vnd.api+json", "/problem+json"]) {
  const { body } = await needle("get", `http://127.0.0.1:${server.address().port}${type}`);
  console.log(`application${type}: ${typeof body}`);
}
server.close();
END
)

expected=$(cat <<'END'
application/json: object
application/vnd.api+json: object
application/problem+json: string
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
