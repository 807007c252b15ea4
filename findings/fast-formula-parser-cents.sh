#!/usr/bin/env bash
# fast-formula-parser 1.0.19: TRUNC to two decimals leaves out the cents.
# Guess: TRUNC(1234.567,2) is 1234.56, as in Excel, and an argument that is not known is an error. The
# documentation lists TRUNC as supported.
# So: the second argument is passed over, and the amount is cut to dollars.
#
# Output seen on 2026-11-30:
#   TRUNC(1234.567,2) is 1234
#   ROUNDDOWN(1234.567,2) is 1234.56
#   TRUNC(19.99,2)*100 is 1900
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts fast-formula-parser@1.0.19

seen=$(node --input-type=module - <<'END'
import FormulaParser from "fast-formula-parser";
const parser = new FormulaParser();
const sheet = (formula) => parser.parse(formula);
for (const formula of ["TRUNC(1234.567,2)", "ROUNDDOWN(1234.567,2)", "TRUNC(19.99,2)*100"]) {
  console.log(formula, "is", sheet(formula));
}
END
)

expected=$(cat <<'END'
TRUNC(1234.567,2) is 1234
ROUNDDOWN(1234.567,2) is 1234.56
TRUNC(19.99,2)*100 is 1900
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
