#!/usr/bin/env bash
# parse-full-name 1.2.7, humanname 0.2.2 and another-name-parser 0.1.0: Dana Roe 2nd is a member of the family 2nd.
# Guess: `2nd` is a suffix as `II` is, in the other way of writing it.
# So: all three take it as the last name. The client is filed under 2, and all clients named so are of one family.
#
# Output seen on 2026-11-29:
#   Dana Roe II: Roe, Roe, Roe
#   Dana Roe 2nd: 2nd, 2nd, 2nd
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts parse-full-name@1.2.7 humanname@0.2.2 another-name-parser@0.1.0

seen=$(node --input-type=module - <<'END'
import another from "another-name-parser";
import human from "humanname";
import { parseFullName } from "parse-full-name";
for (const name of ["Dana Roe II", "Dana Roe 2nd"])
  console.log(`${name}: ${parseFullName(name).last}, ${human.parse(name).lastName}, ${another(name).last}`);
END
)

expected=$(cat <<'END'
Dana Roe II: Roe, Roe, Roe
Dana Roe 2nd: 2nd, 2nd, 2nd
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
