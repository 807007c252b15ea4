#!/usr/bin/env bash
# @devlikeapro/n8n-openapi-node 0.1.4: a nullable field of an OpenAPI 3.1 document becomes a field without a type.
# Guess: a field whose type is a list of a type and null is shown as that type. So is one with `anyOf` of the two, which
# means the same (JSON Schema 2020-12, validation, section 6.1.1: any of the listed types).
# So: it has neither a type nor a default, which n8n needs to show a field (`INodeProperties` of n8n-workflow). The node
# is built without an error, and the due date cannot be entered.
#
# Output seen on 2026-11-29:
#   plain: type string, default ""
#   any_of: type string, default ""
#   listed: type undefined, default undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @devlikeapro/n8n-openapi-node@0.1.4

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { N8NPropertiesBuilder } = createRequire(`${process.cwd()}/`)("@devlikeapro/n8n-openapi-node");
const text = { type: "string" };
const properties = {
  plain: text,
  any_of: { anyOf: [text, { type: "null" }] },
  listed: { type: ["string", "null"] },
};
const content = { "application/json": { schema: { type: "object", properties } } };
const post = { operationId: "bill", tags: ["Invoices"], requestBody: { content }, responses: {} };
const info = { title: "Example", version: "1" };
const built = new N8NPropertiesBuilder({ openapi: "3.1.0", info, paths: { "/invoices": { post } } }, {}).build();
for (const { name, type, default: fallback } of built)
  if (name in properties) console.log(`${name}: type ${type}, default ${JSON.stringify(fallback)}`);
END
)

expected=$(cat <<'END'
plain: type string, default ""
any_of: type string, default ""
listed: type undefined, default undefined
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
