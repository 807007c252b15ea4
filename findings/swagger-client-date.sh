#!/usr/bin/env bash
# swagger-client 3.39.0: a Date is left out of the address, and of a header.
# Guess: a `Date` for a parameter with the format `date-time` is sent as text, as it is in a JSON body, or it
# is refused. A parameter that is required is sent: the client throws where one is missing.
# So: it counts as given, and nothing of it is sent. A search from 1 December searches from the beginning, and
# a call to close one day is a call to the address of all days.
#
# Output seen on 2026-11-30:
#   free with nothing: Required parameter from is not provided
#   free with a text: GET /free?from=2026-12-01T15%3A00%3A00.000Z
#   free with a Date: GET /free
#   close with a text: DELETE /days/2026-12-01T15%3A00%3A00.000Z
#   close with a Date: DELETE /days/
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts swagger-client@3.39.0

seen=$(node --input-type=module - <<'END'
import SwaggerClient from "swagger-client";
const operation = (operationId, name, where) => ({
  operationId,
  parameters: [{ name, in: where, required: true, schema: { type: "string", format: "date-time" } }],
  responses: { 204: { description: "" } },
});
const paths = {
  "/free": { get: operation("free", "from", "query") },
  "/days/{day}": { delete: operation("close", "day", "path") },
};
const servers = [{ url: "https://example.com" }];
const spec = { openapi: "3.1.0", info: { title: "Example", version: "1" }, servers, paths };
const show = (operationId, what, parameters) => {
  let seen;
  try {
    const { method, url } = SwaggerClient.buildRequest({ spec, operationId, parameters });
    seen = `${method} ${url.slice(servers[0].url.length)}`;
  } catch (error) {
    seen = error.message;
  }
  console.log(`${operationId} with ${what}: ${seen}`);
};
const time = new Date("2026-12-01T15:00:00Z");
show("free", "nothing", {});
show("free", "a text", { from: time.toISOString() });
show("free", "a Date", { from: time });
show("close", "a text", { day: time.toISOString() });
show("close", "a Date", { day: time });
END
)

expected=$(cat <<'END'
free with nothing: Required parameter from is not provided
free with a text: GET /free?from=2026-12-01T15%3A00%3A00.000Z
free with a Date: GET /free
close with a text: DELETE /days/2026-12-01T15%3A00%3A00.000Z
close with a Date: DELETE /days/
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
