#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0: the variables of a resource template reach the server still encoded.
# Guess: `match` gives back what `expand` was given, which it percent-encodes (RFC 6570, section 3.2.2).
# So: the value stays encoded. A server that looks up a name with a blank or an accent in it finds nothing, and who
# encodes it once more names another resource.
#
# Output seen on 2026-11-29:
#   Kim: practice://clients/Kim is read as Kim, and written again as practice://clients/Kim
#   Kim Roe: practice://clients/Kim%20Roe is read as Kim%20Roe, and written again as practice://clients/Kim%2520Roe
#   Zoë: practice://clients/Zo%C3%AB is read as Zo%C3%AB, and written again as practice://clients/Zo%25C3%25AB
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/server@2.4.0 zod@4.6.7

seen=$(node --input-type=module - <<'END'
import { UriTemplate } from "@modelcontextprotocol/server";
const template = new UriTemplate("practice://clients/{name}");
for (const name of ["Kim", "Kim Roe", "Zoë"]) {
  const uri = template.expand({ name });
  const read = template.match(uri);
  console.log(`${name}: ${uri} is read as ${read.name}, and written again as ${template.expand(read)}`);
}
END
)

expected=$(cat <<'END'
Kim: practice://clients/Kim is read as Kim, and written again as practice://clients/Kim
Kim Roe: practice://clients/Kim%20Roe is read as Kim%20Roe, and written again as practice://clients/Kim%2520Roe
Zoë: practice://clients/Zo%C3%AB is read as Zo%C3%AB, and written again as practice://clients/Zo%25C3%25AB
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
