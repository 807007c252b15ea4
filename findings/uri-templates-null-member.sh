#!/usr/bin/env bash
# uri-templates 0.2.0: a member that is null is sent as the text "null".
# Guess: a null member of an object is left out, as a null variable is. Of an associative array, only pairs
# with a defined value are appended (RFC 6570, section 3.2.1).
# So: only variables are checked, not members. A search with a field left empty asks for what is called
# "null". It finds nobody.
#
# Output seen on 2026-11-29:
#   /clients?name=Kim
#   /clients?name=Kim&city=null
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts uri-templates@0.2.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const template = createRequire(`${process.cwd()}/`)("uri-templates");
console.log(template("/clients{?name,city}").fill({ name: "Kim", city: null }));
console.log(template("/clients{?filter*}").fill({ filter: { name: "Kim", city: null } }));
END
)

expected=$(cat <<'END'
/clients?name=Kim
/clients?name=Kim&city=null
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
