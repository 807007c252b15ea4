#!/usr/bin/env bash
# zod 4.6.7: a JSON Schema that zod writes refuses, when zod reads it back, what the first schema took.
# Guess: `fromJSONSchema(toJSONSchema(schema))` accepts the same names.
# So: the `u` flag of a regular expression is dropped on the way out, and not set on the way in.
# `\p{L}` then means the letters p, {, L and }. JSON Schema 2020-12 (core, section 6.4) asks for the `u` flag.
#
# Output seen on 2026-11-28:
#   {"type":"string","pattern":"^\\p{L}+$"}
#   own schema: Zoë true, read back: Zoë false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts zod@4.6.7

seen=$(node --input-type=module - <<'END'
import * as z from "zod";
const own = z.string().regex(/^\p{L}+$/u);
const { $schema, ...written } = z.toJSONSchema(own);
console.log(JSON.stringify(written));
const readBack = z.fromJSONSchema(written);
const takes = (schema) => schema.safeParse("Zoë").success;
console.log(`own schema: Zoë ${takes(own)}, read back: Zoë ${takes(readBack)}`);
END
)

expected=$(cat <<'END'
{"type":"string","pattern":"^\\p{L}+$"}
own schema: Zoë true, read back: Zoë false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
