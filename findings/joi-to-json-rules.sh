#!/usr/bin/env bash
# joi-to-json 5.0.5: the length of a text and whole numbers are left out.
# Guess: what a rule of joi says is in the JSON Schema, whatever the order of the rules. `length` is in it for a list.
# So: of `string().length(2)` only the text is left, and `integer` is lost if another rule comes before it. By the
# schema, an amount in cents may be 99.5, and the code of a state may have any length.
#
# Output seen on 2026-11-30:
#   array().length(2): {"type":"array","maxItems":2,"minItems":2,"items":{}}
#   string().length(2): {"type":"string"}
#   string().min(2).max(2): {"type":"string","minLength":2,"maxLength":2}
#   number().integer().min(50): {"type":"integer","minimum":50}
#   number().min(50).integer(): {"type":"number","minimum":50}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts joi-to-json@5.0.5 joi@18.3.2

seen=$(node --input-type=module - <<'END'
import Joi from "joi";
import parse from "joi-to-json";
const rules = {
  "array().length(2)": Joi.array().length(2),
  "string().length(2)": Joi.string().length(2),
  "string().min(2).max(2)": Joi.string().min(2).max(2),
  "number().integer().min(50)": Joi.number().integer().min(50),
  "number().min(50).integer()": Joi.number().min(50).integer(),
};
for (const [name, rule] of Object.entries(rules)) console.log(`${name}: ${JSON.stringify(parse(rule))}`);
END
)

expected=$(cat <<'END'
array().length(2): {"type":"array","maxItems":2,"minItems":2,"items":{}}
string().length(2): {"type":"string"}
string().min(2).max(2): {"type":"string","minLength":2,"maxLength":2}
number().integer().min(50): {"type":"integer","minimum":50}
number().min(50).integer(): {"type":"number","minimum":50}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
