#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0: the variables of a resource template reach the server percent-encoded.
# Guess: `match` gives back what `expand` was given. Expansion percent-encodes a value (RFC 6570, section
# 3.2.2). A template can be used in reverse to get its variables (section 1.4).
# So: the value stays encoded. A server that looks up a client by a name with a blank finds nobody. Who writes
# the value into the template again names another resource.
#
# Output seen on 2026-11-29:
#   Kim: practice://clients/Kim is read as Kim, and written again as practice://clients/Kim
#   Kim Roe: practice://clients/Kim%20Roe is read as Kim%20Roe, and written again as practice://clients/Kim%2520Roe
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/server@2.4.0 zod@4.6.7

seen=$(node --input-type=module - <<'END'
import { UriTemplate } from "@modelcontextprotocol/server";
const template = new UriTemplate("practice://clients/{name}");
for (const name of ["Kim", "Kim Roe"]) {
  const uri = template.expand({ name });
  const read = template.match(uri);
  console.log(`${name}: ${uri} is read as ${read.name}, and written again as ${template.expand(read)}`);
}
END
)

expected=$(cat <<'END'
Kim: practice://clients/Kim is read as Kim, and written again as practice://clients/Kim
Kim Roe: practice://clients/Kim%20Roe is read as Kim%20Roe, and written again as practice://clients/Kim%2520Roe
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
