#!/usr/bin/env bash
# openapi-sampler 1.7.9: the sample of a nullable field is an object.
# Guess: a sample is valid by its schema: it is null or a text. The order of the members of `oneOf` and
# `anyOf` has no meaning (JSON Schema 2020-12, core, sections 10.2.1.2 and 10.2.1.3).
# So: where null comes first, the sample is `{}`, which is neither. Documentation shows it as an example. A
# developer who copies it is refused.
#
# Output seen on 2026-11-29:
#   oneOf string,null: "inv_1"
#   oneOf null,string: {}
#   anyOf string,null: "inv_1"
#   anyOf null,string: {}
#   null alone: null
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-sampler@1.7.9

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { sample } = createRequire(`${process.cwd()}/`)("openapi-sampler");
const text = { type: "string", example: "inv_1" };
const nothing = { type: "null" };
for (const keyword of ["oneOf", "anyOf"])
  for (const members of [[text, nothing], [nothing, text]])
    console.log(`${keyword} ${members.map((member) => member.type)}: ${JSON.stringify(sample({ [keyword]: members }))}`);
console.log(`null alone: ${JSON.stringify(sample(nothing))}`);
END
)

expected=$(cat <<'END'
oneOf string,null: "inv_1"
oneOf null,string: {}
anyOf string,null: "inv_1"
anyOf null,string: {}
null alone: null
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
