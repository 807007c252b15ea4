#!/usr/bin/env bash
# express-idempotency 1.0.6: a request that is answered without content is never done.
# Guess: once a request has been answered, the same key gets the same answer.
# So: only `send` and what is built on it end a request for the middleware. After `end()`, which Express has
# for answers without data, the key stays in progress, and every repeat fails, as long as the key is kept. The
# first request did its work, and who lost its answer is never told.
#
# Output seen on 2026-11-29:
#   /send, first: 204
#   /send, repeated: 204
#   /end, first: 204
#   /end, repeated: 500 A previous request is still in progress for this key.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts express-idempotency@1.0.6 express@5.1.0

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import express from "express";
import { getSharedIdempotencyService, idempotency } from "express-idempotency";
const app = express();
app.use(idempotency());
for (const [path, answer] of [
  ["/send", (response) => response.status(204).send()],
  ["/end", (response) => response.status(204).end()],
])
  app.post(path, (request, response) => {
    if (!getSharedIdempotencyService().isHit(request)) answer(response);
  });
app.use((error, request, response, next) => response.status(500).send(error.message));
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
for (const path of ["/send", "/end"]) {
  const request = { method: "POST", headers: { "idempotency-key": path } };
  for (const time of ["first", "repeated"]) {
    const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, request);
    console.log(`${path}, ${time}: ${response.status} ${await response.text()}`.trim());
  }
}
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
/send, first: 204
/send, repeated: 204
/end, first: 204
/end, repeated: 500 A previous request is still in progress for this key.
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
