#!/usr/bin/env bash
# @inrupt/solid-client-errors 0.0.4: with a charset in the media type, nothing of a problem is read.
# Guess: a charset beside a JSON media type has no effect on a reader (RFC 8259, section 11). Express adds one
# to every JSON answer.
# So: the header has to be `application/problem+json` to the letter. Otherwise the title and the detail are
# not read, and there is no error. The person is not told what to do next.
#
# Output seen on 2026-11-29:
#   application/problem+json: Slot taken, detail: Choose another time.
#   application/problem+json; charset=utf-8: Conflict, detail: undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @inrupt/solid-client-errors@0.0.4 express@5.1.0

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { handleErrorResponse } from "@inrupt/solid-client-errors";
import express from "express";
const problem = { type: "/errors#slot_taken", title: "Slot taken", status: 409, detail: "Choose another time." };
const app = express();
const type = "application/problem+json";
app.get("/json", (request, response) => response.status(409).type(type).json(problem));
app.get("/end", (request, response) => response.status(409).setHeader("content-type", type).end(JSON.stringify(problem)));
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
for (const path of ["/end", "/json"]) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
  const { problemDetails } = handleErrorResponse(response, await response.text(), "not booked");
  console.log(`${response.headers.get("content-type")}: ${problemDetails.title}, detail: ${problemDetails.detail}`);
}
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
application/problem+json: Slot taken, detail: Choose another time.
application/problem+json; charset=utf-8: Conflict, detail: undefined
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
