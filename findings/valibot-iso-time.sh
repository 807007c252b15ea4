#!/usr/bin/env bash
# @valibot/to-json-schema 1.8.0: no time is valid for both the schema and what is made of it.
# Guess: a time that a schema of valibot takes is valid for its JSON Schema, too. The README lists `isoTime`
# and `isoDateTime` as supported, and warns of small differences between validators.
# So: they become the formats `time` and `date-time`, which need seconds and an offset (JSON Schema draft-07,
# validation, section 7.3.1). `isoTime` takes 10:00 and `isoDateTime` takes 2026-12-01T10:00, without either.
# A client that keeps to the published formats is always refused. `isoTimeSecond` becomes its pattern, which
# is right.
#
# Output seen on 2026-11-30:
#   10:00 as iso_time: true, as time: false
#   10:00:00 as iso_time: false, as time: false
#   10:00:00Z as iso_time: false, as time: true
#   2026-12-01T10:00 as iso_date_time: true, as date-time: false
#   2026-12-01T10:00:00 as iso_date_time: false, as date-time: false
#   2026-12-01T10:00:00Z as iso_date_time: false, as date-time: true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @valibot/to-json-schema@1.8.0 valibot@1.5.0 ajv@8.20.0 \
  ajv-formats@3.0.1

seen=$(node --input-type=module - <<'END'
import { toJsonSchema } from "@valibot/to-json-schema";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { is, isoDateTime, isoTime, pipe, string } from "valibot";
const ajv = addFormats.default(new Ajv());
for (const [action, values] of [
  [isoTime(), ["10:00", "10:00:00", "10:00:00Z"]],
  [isoDateTime(), ["2026-12-01T10:00", "2026-12-01T10:00:00", "2026-12-01T10:00:00Z"]],
]) {
  const schema = pipe(string(), action);
  const { format } = toJsonSchema(schema);
  const validate = ajv.compile(toJsonSchema(schema));
  for (const value of values)
    console.log(`${value} as ${action.type}: ${is(schema, value)}, as ${format}: ${validate(value)}`);
}
END
)

expected=$(cat <<'END'
10:00 as iso_time: true, as time: false
10:00:00 as iso_time: false, as time: false
10:00:00Z as iso_time: false, as time: true
2026-12-01T10:00 as iso_date_time: true, as date-time: false
2026-12-01T10:00:00 as iso_date_time: false, as date-time: false
2026-12-01T10:00:00Z as iso_date_time: false, as date-time: true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
