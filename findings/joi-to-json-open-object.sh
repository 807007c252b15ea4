#!/usr/bin/env bash
# joi-to-json 5.0.5: an object that takes all members becomes one that takes none.
# Guess: `Joi.object()` without keys accepts every object, as the documentation of joi says, so its JSON
# Schema is an open object.
# So: it is closed and has no properties. What the form takes as further details, a client that checks it by
# the schema refuses. With `.unknown()`, which changes nothing for joi, it is open.
#
# Output seen on 2026-11-30:
#   object(): joi accepts it, the schema refuses it: {"type":"object","properties":{},"additionalProperties":false}
#   object().unknown(): joi accepts it, the schema accepts it: {"type":"object","properties":{},"additionalProperties":true}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts joi-to-json@5.0.5 joi@18.3.2 ajv@8.20.0

seen=$(node --input-type=module - <<'END'
import { Ajv } from "ajv";
import Joi from "joi";
import parse from "joi-to-json";
const answer = { details: { plan: "401k" } };
for (const [name, details] of [["object()", Joi.object()], ["object().unknown()", Joi.object().unknown()]]) {
  const form = Joi.object({ details });
  const joi = form.validate(answer).error ? "refuses" : "accepts";
  const schema = parse(form);
  const ajv = new Ajv().validate(schema, answer) ? "accepts" : "refuses";
  console.log(`${name}: joi ${joi} it, the schema ${ajv} it: ${JSON.stringify(schema.properties.details)}`);
}
END
)

expected=$(cat <<'END'
object(): joi accepts it, the schema refuses it: {"type":"object","properties":{},"additionalProperties":false}
object().unknown(): joi accepts it, the schema accepts it: {"type":"object","properties":{},"additionalProperties":true}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
