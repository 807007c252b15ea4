#!/usr/bin/env bash
# @himenon/openapi-parameter-formatter 2.1.0: two items cannot be told from one item with a comma.
# Guess: without `explode`, the comma between two items is written as it is, and a comma within an item as `%2C` (RFC
# 6570, section 3.2.8). The style examples of OpenAPI, which the README says it follows, have
# `color=blue,black,brown`.
# So: the comma between two items is `%2C`, too. A server that divides the value before it decodes it finds one item.
#
# Output seen on 2026-11-29:
#   topics=tax%2Cestate
#   topics=tax%2Cestate
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @himenon/openapi-parameter-formatter@2.1.0

seen=$(node --input-type=module - <<'END'
import { QueryParameter } from "@himenon/openapi-parameter-formatter";
for (const value of [["tax", "estate"], ["tax,estate"]])
  console.log(QueryParameter.generate("topics", { value, style: "form", explode: false }));
END
)

expected=$(cat <<'END'
topics=tax%2Cestate
topics=tax%2Cestate
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
