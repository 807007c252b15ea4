#!/usr/bin/env bash
# zod 4.6.7: `fromJSONSchema` drops a constraint that has no `type` beside it.
# Guess: what it cannot express is an error, as it is for `not` and `if`. The rest is checked.
# So: a part of `anyOf` or `allOf` without its own `type` becomes "anything".
# "At least one of email and phone" then takes neither, and of two patterns none is left,
# though zod itself writes two patterns in that form.
#
# Output seen on 2026-11-28:
#   neither email nor phone: accepted
#   {"type":"string","allOf":[{"pattern":"^a"},{"pattern":"z$"}]}
#   "bcd" against ^a and z$: accepted
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts zod@4.6.7

seen=$(node --input-type=module - <<'END'
import * as z from "zod";
const verdict = (schema, value) => z.fromJSONSchema(schema).safeParse(value).success ? "accepted" : "refused";
const contact = {
  type: "object",
  properties: { email: { type: "string" }, phone: { type: "string" } },
  anyOf: [{ required: ["email"] }, { required: ["phone"] }],
};
console.log(`neither email nor phone: ${verdict(contact, {})}`);
const { $schema, ...written } = z.toJSONSchema(z.string().regex(/^a/).regex(/z$/));
console.log(JSON.stringify(written));
console.log(`"bcd" against ^a and z$: ${verdict(written, "bcd")}`);
END
)

expected=$(cat <<'END'
neither email nor phone: accepted
{"type":"string","allOf":[{"pattern":"^a"},{"pattern":"z$"}]}
"bcd" against ^a and z$: accepted
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
