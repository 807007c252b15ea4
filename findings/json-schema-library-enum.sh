#!/usr/bin/env bash
# json-schema-library 11.6.2: whether an object is one of an enum depends on the order of its members.
# Guess: two objects with the same members are equal (JSON Schema 2020-12, core, section 4.2.2), and a value
# that is equal to one of `enum` is valid (validation, section 6.1.2).
# So: `enum` compares the texts of both. The answer of a form that lists its members in another order is
# refused. `const` takes it. Known as pull request 132, which is open.
#
# Output seen on 2026-11-30:
#   enum: {"minutes":30,"kind":"tax"} is true
#   enum: {"kind":"tax","minutes":30} is false
#   const: {"minutes":30,"kind":"tax"} is true
#   const: {"kind":"tax","minutes":30} is true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts json-schema-library@11.6.2

seen=$(node --input-type=module - <<'END'
import { compileSchema } from "json-schema-library";
const consult = { minutes: 30, kind: "tax" };
for (const keyword of [{ enum: [consult] }, { const: consult }])
  for (const value of [{ minutes: 30, kind: "tax" }, { kind: "tax", minutes: 30 }]) {
    const schema = compileSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...keyword });
    console.log(`${Object.keys(keyword)[0]}: ${JSON.stringify(value)} is ${schema.validate(value).valid}`);
  }
END
)

expected=$(cat <<'END'
enum: {"minutes":30,"kind":"tax"} is true
enum: {"kind":"tax","minutes":30} is false
const: {"minutes":30,"kind":"tax"} is true
const: {"kind":"tax","minutes":30} is true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
