#!/usr/bin/env bash
# @h1deya/json-schema-to-zod 0.1.0: of a lower and an upper limit, only the upper one counts.
# Guess: a number is to be at least `minimum` and at most `maximum`, and a list is to have at least `minItems`
# and at most `maxItems` (JSON Schema 2020-12, validation, sections 6.2 and 6.4).
# So: beside an upper limit, the lower one is dropped. A tool then takes an amount of one cent, of which the
# schema says 50 to 500,000.
#
# Output seen on 2026-11-29:
#   {"type":"integer","minimum":50}: 1 is refused
#   {"type":"integer","minimum":50,"maximum":500000}: 1 is accepted
#   {"type":"array","minItems":1}: [] is refused
#   {"type":"array","minItems":1,"maxItems":20}: [] is accepted
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @h1deya/json-schema-to-zod@0.1.0 zod@3.25.76

seen=$(node --input-type=module - <<'END'
import { jsonSchemaToZod } from "@h1deya/json-schema-to-zod";
const check = (schema, value) => {
  const { success } = jsonSchemaToZod(schema).safeParse(value);
  console.log(`${JSON.stringify(schema)}: ${JSON.stringify(value)} is ${success ? "accepted" : "refused"}`);
};
check({ type: "integer", minimum: 50 }, 1);
check({ type: "integer", minimum: 50, maximum: 500000 }, 1);
check({ type: "array", minItems: 1 }, []);
check({ type: "array", minItems: 1, maxItems: 20 }, []);
END
)

expected=$(cat <<'END'
{"type":"integer","minimum":50}: 1 is refused
{"type":"integer","minimum":50,"maximum":500000}: 1 is accepted
{"type":"array","minItems":1}: [] is refused
{"type":"array","minItems":1,"maxItems":20}: [] is accepted
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
