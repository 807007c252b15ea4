#!/usr/bin/env bash
# @n8n/json-schema-to-zod 1.16.0: the format `time` takes only what is no time of JSON Schema.
# Guess: `10:00:00Z` and `10:00:00-05:00` are accepted. The format is the full-time of RFC 3339, which ends in
# an offset (JSON Schema 2020-12, validation, section 7.3.1).
# So: the format becomes `z.string().time()`, which is a time without an offset. A time that the tool takes is
# refused before it is sent. One that is sent is refused by the tool.
#
# Output seen on 2026-11-29:
#   10:00:00Z: n8n false, ajv true
#   10:00:00-05:00: n8n false, ajv true
#   10:00:00: n8n true, ajv false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @n8n/json-schema-to-zod@1.16.0 zod@3.25.76 ajv@8.17.1 ajv-formats@3.0.1

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const require = createRequire(`${process.cwd()}/`);
const { jsonSchemaToZod } = require("@n8n/json-schema-to-zod");
const Ajv = require("ajv/dist/2020");
const schema = { type: "string", format: "time" };
const ajv = require("ajv-formats")(new Ajv());
for (const time of ["10:00:00Z", "10:00:00-05:00", "10:00:00"]) {
  const { success } = jsonSchemaToZod(schema).safeParse(time);
  console.log(`${time}: n8n ${success}, ajv ${ajv.validate(schema, time)}`);
}
END
)

expected=$(cat <<'END'
10:00:00Z: n8n false, ajv true
10:00:00-05:00: n8n false, ajv true
10:00:00: n8n true, ajv false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
