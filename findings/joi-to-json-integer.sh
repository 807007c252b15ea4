#!/usr/bin/env bash
# joi-to-json 5.0.5: whole numbers are lost behind another rule.
# Guess: the order of the rules of joi has no meaning: `number().min(50).integer()` accepts what
# `number().integer().min(50)` accepts, so their JSON Schemas are the same.
# So: the type is `integer` only where that rule is the first one. By the schema, an amount in cents may be
# 99.5.
#
# Output seen on 2026-11-30:
#   number().integer().min(50): joi refuses 99.5, {"type":"integer","minimum":50}
#   number().min(50).integer(): joi refuses 99.5, {"type":"number","minimum":50}
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
  "number().integer().min(50)": Joi.number().integer().min(50),
  "number().min(50).integer()": Joi.number().min(50).integer(),
};
for (const [name, rule] of Object.entries(rules)) {
  console.log(`${name}: joi ${rule.validate(99.5).error ? "refuses" : "accepts"} 99.5, ${JSON.stringify(parse(rule))}`);
}
END
)

expected=$(cat <<'END'
number().integer().min(50): joi refuses 99.5, {"type":"integer","minimum":50}
number().min(50).integer(): joi refuses 99.5, {"type":"number","minimum":50}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
