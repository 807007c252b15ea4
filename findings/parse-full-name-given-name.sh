#!/usr/bin/env bash
# parse-full-name 1.2.7: who is called Van or Della has no first name.
# Guess: of two names without a comma, the first is the first name. The README warns of a first name that is
# taken for a prefix only with its long lists, which are off here.
# So: both names become the last name, and there is no error. A letter has no first name to begin with. A
# client who was entered by first and last name is not found.
#
# Output seen on 2026-11-29:
#   Dana Nguyen: first "Dana", last "Nguyen", 0 errors
#   Van Nguyen: first "", last "Van Nguyen", 0 errors
#   Della Roe: first "", last "Della Roe", 0 errors
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts parse-full-name@1.2.7

seen=$(node --input-type=module - <<'END'
import { parseFullName } from "parse-full-name";
for (const name of ["Dana Nguyen", "Van Nguyen", "Della Roe"]) {
  const { first, last, error } = parseFullName(name);
  console.log(`${name}: first "${first}", last "${last}", ${error.length} errors`);
}
END
)

expected=$(cat <<'END'
Dana Nguyen: first "Dana", last "Nguyen", 0 errors
Van Nguyen: first "", last "Van Nguyen", 0 errors
Della Roe: first "", last "Della Roe", 0 errors
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
