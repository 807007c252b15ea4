#!/usr/bin/env bash
# undici 7.30.2: with a RetryAgent, a POST that is answered with 503 fails as if the network had failed.
# Guess: a method that is not retried gets its answer, as it gets that of any other status.
# So: for the statuses that are retried with other methods (429 and 500 to 504), the answer is thrown away and
# `fetch` rejects with `fetch failed`. A body that says that nothing was done is lost, and code that takes
# this error for a cut connection reports that the outcome is not known.
#
# Output seen on 2026-11-29:
#   409, 1 request: {"detail":"Nothing was done."}
#   429, 1 request: TypeError: fetch failed
#   503, 1 request: TypeError: fetch failed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts undici@7.30.2

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import { Agent, RetryAgent, fetch } from "undici";
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  response.writeHead(Number(request.url.slice(1)), { "content-type": "application/problem+json" });
  response.end('{"detail":"Nothing was done."}');
}).listen(0, "127.0.0.1");
await once(server, "listening");
const dispatcher = new RetryAgent(new Agent(), { maxRetries: 1 });
for (const status of [409, 429, 503]) {
  requests = 0;
  const seen = await fetch(`http://127.0.0.1:${server.address().port}/${status}`, { method: "POST", dispatcher })
    .then((response) => response.text(), (error) => `${error.name}: ${error.message}`);
  console.log(`${status}, ${requests} request: ${seen}`);
}
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
409, 1 request: {"detail":"Nothing was done."}
429, 1 request: TypeError: fetch failed
503, 1 request: TypeError: fetch failed
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
