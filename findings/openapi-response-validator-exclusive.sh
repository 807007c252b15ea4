#!/usr/bin/env bash
# openapi-response-validator 12.1.3: a document of OpenAPI 3.0 with an exclusive limit is no valid schema.
# Guess: in a document of OpenAPI 3.0 `exclusiveMinimum` is true or false and stands beside `minimum` (3.0.3,
# Schema Object, which takes the word from JSON Schema draft 5). The package reads `nullable`, which only 3.0
# has.
# So: the limit has to be a number, as in OpenAPI 3.1. With true beside `minimum`, each answer of that status
# throws.
#
# Output seen on 2026-12-01:
#   {"type":"number","nullable":true} null: valid
#   {"type":"number","exclusiveMinimum":0} 5: valid
#   {"type":"number","minimum":0,"exclusiveMinimum":true} 5: response/exclusiveMinimum must be number
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-response-validator@12.1.3

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const Validator = createRequire(`${process.cwd()}/`)("openapi-response-validator").default;
const show = (schema, value) => {
  let seen;
  try {
    const content = { "application/json": { schema } };
    const validator = new Validator({ responses: { 200: { description: "", content } } });
    seen = validator.validateResponse(200, value)?.errors[0].message ?? "valid";
  } catch (error) {
    seen = error.message.replace("schema is invalid: data/properties/", "");
  }
  console.log(`${JSON.stringify(schema)} ${value}: ${seen}`);
};
show({ type: "number", nullable: true }, null);
show({ type: "number", exclusiveMinimum: 0 }, 5);
show({ type: "number", minimum: 0, exclusiveMinimum: true }, 5);
END
)

expected=$(cat <<'END'
{"type":"number","nullable":true} null: valid
{"type":"number","exclusiveMinimum":0} 5: valid
{"type":"number","minimum":0,"exclusiveMinimum":true} 5: response/exclusiveMinimum must be number
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
