#!/usr/bin/env bash
# retry-axios 4.0.3: a Retry-After date that is over ends the retries.
# Guess: a request may be repeated once the named date is over: the date says from when on (RFC 9110, section
# 10.2.3). The clock of the client may be a few seconds fast.
# So: the request is not repeated at all, and the call fails. With a date ahead, or with seconds, it is
# repeated.
#
# Output seen on 2026-11-29:
#   1 second: answered, 2 requests
#   date ahead: answered, 2 requests
#   date just over: Request failed with status code 503, 1 requests
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts retry-axios@4.0.3 axios@1.12.2

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import axios from "axios";
import { attach } from "retry-axios";
let requests = 0;
let retryAfter;
const server = createServer((request, response) => {
  requests += 1;
  if (requests === 1) response.writeHead(503, { "retry-after": retryAfter });
  response.end("answered");
}).listen(0, "127.0.0.1");
await once(server, "listening");
const client = axios.create({ baseURL: `http://127.0.0.1:${server.address().port}` });
client.defaults.raxConfig = { instance: client, retry: 3 };
attach(client);
const inSeconds = (seconds) => new Date(Date.now() + seconds * 1000).toUTCString();
for (const [name, value] of [["1 second", "1"], ["date ahead", inSeconds(4)], ["date just over", inSeconds(-2)]]) {
  requests = 0;
  retryAfter = value;
  const seen = await client.get("/").then(({ data }) => data, (error) => error.message);
  console.log(`${name}: ${seen}, ${requests} requests`);
}
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
1 second: answered, 2 requests
date ahead: answered, 2 requests
date just over: Request failed with status code 503, 1 requests
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
