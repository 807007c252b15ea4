#!/usr/bin/env bash
# human-name-splitter 1.0.1: the second capital of a name is made small.
# Guess: a splitter takes a name apart and leaves its letters as they are.
# So: each word is written with one capital. `O'Neil` becomes `O'neil`, and `Roe-Doe` becomes `Roe-doe`. The
# invoice does not bear the name that the client wrote.
#
# Output seen on 2026-11-29:
#   Dana Roe: Dana Roe
#   Dana O'Neil: Dana O'neil
#   Mary-Ann Roe-Doe: Mary-ann Roe-doe
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts human-name-splitter@1.0.1

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { splitter } = createRequire(`${process.cwd()}/`)("human-name-splitter");
for (const name of ["Dana Roe", "Dana O'Neil", "Mary-Ann Roe-Doe"]) {
  const { firstName, lastName } = splitter(name);
  console.log(`${name}: ${firstName} ${lastName}`);
}
END
)

expected=$(cat <<'END'
Dana Roe: Dana Roe
Dana O'Neil: Dana O'neil
Mary-Ann Roe-Doe: Mary-ann Roe-doe
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
