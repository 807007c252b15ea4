#!/usr/bin/env bash
# openapi-request-coercer 12.1.3: one name with a comma becomes two names.
# Guess: a list in a query is repeated, so that `?name=Roe,%20Dana` is a list of one name. That is `form` with
# `explode: true`, which a parameter has that names neither (OpenAPI 3.1, Parameter Object, `style` and
# `explode`).
# So: the only value of such a list is split at its commas. With a second value, or with the same defaults
# written out, nothing is split.
#
# Output seen on 2026-12-01:
#   one name: ["Roe"," Dana"]
#   two names: ["Roe, Dana","Kim"]
#   one name, defaults written out: ["Roe, Dana"]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-request-coercer@12.1.3

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const Coercer = createRequire(`${process.cwd()}/`)("openapi-request-coercer").default;
const show = (what, value, more) => {
  const query = { name: value };
  const schema = { type: "array", items: { type: "string" } };
  new Coercer({ parameters: [{ name: "name", in: "query", schema, ...more }] }).coerce({ query });
  console.log(`${what}: ${JSON.stringify(query.name)}`);
};
show("one name", "Roe, Dana");
show("two names", ["Roe, Dana", "Kim"]);
show("one name, defaults written out", "Roe, Dana", { style: "form", explode: true });
END
)

expected=$(cat <<'END'
one name: ["Roe"," Dana"]
two names: ["Roe, Dana","Kim"]
one name, defaults written out: ["Roe, Dana"]
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
