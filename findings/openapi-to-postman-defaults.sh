#!/usr/bin/env bash
# openapi-to-postmanv2 6.3.3: the document that is converted is changed, and no longer fits itself.
# Guess: a converter reads its input, and the same object can be served, or given to the next generator.
# So: a property without a `default` gets a placeholder as one, such as the text `<integer>` where the schema
# takes integers. A server that makes its collection of the document that it serves then tells every client
# what is sent for a field that is left out, and its own schema refuses it.
#
# Output seen on 2026-11-29:
#   converted: true
#   amount: type integer, default "<integer>"
#   start: type string, default "<dateTime>"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-to-postmanv2@6.3.3

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { convertV2 } = createRequire(`${process.cwd()}/`)("openapi-to-postmanv2");
const schema = {
  type: "object",
  properties: { amount: { type: "integer", minimum: 1 }, start: { type: "string", format: "date-time" } },
};
const data = {
  openapi: "3.1.0", info: { title: "Practice", version: "1" },
  paths: { "/invoices": { post: {
    requestBody: { content: { "application/json": { schema } } }, responses: { 204: { description: "Done." } },
  } } },
};
convertV2({ type: "json", data }, {}, (error, { result }) => {
  console.log(`converted: ${result}`);
  for (const [name, { type, default: value }] of Object.entries(schema.properties))
    console.log(`${name}: type ${type}, default ${JSON.stringify(value)}`);
});
END
)

expected=$(cat <<'END'
converted: true
amount: type integer, default "<integer>"
start: type string, default "<dateTime>"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
