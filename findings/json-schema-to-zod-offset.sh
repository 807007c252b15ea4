#!/usr/bin/env bash
# @dmitryrechkin/json-schema-to-zod 1.0.1: a `date-time` with an offset is refused.
# Guess: a date-time is what RFC 3339 calls so (JSON Schema 2020-12, validation, section 7.3.1). It ends in
# `Z` or in an offset.
# So: only `Z` is accepted. A booking tool may ask for the local time with its offset. A client that checks
# with this schema cannot call it.
#
# Output seen on 2026-11-29:
#   2026-12-01T15:00:00Z: true
#   2026-12-01T10:00:00-05:00: false
#   2026-12-01T15:00:00+00:00: false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @dmitryrechkin/json-schema-to-zod@1.0.1 zod@3.25.76

seen=$(node --input-type=module - <<'END'
import { JSONSchemaToZod } from "@dmitryrechkin/json-schema-to-zod";
const schema = JSONSchemaToZod.convert({ type: "string", format: "date-time" });
for (const time of ["2026-12-01T15:00:00Z", "2026-12-01T10:00:00-05:00", "2026-12-01T15:00:00+00:00"])
  console.log(`${time}: ${schema.safeParse(time).success}`);
END
)

expected=$(cat <<'END'
2026-12-01T15:00:00Z: true
2026-12-01T10:00:00-05:00: false
2026-12-01T15:00:00+00:00: false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
