#!/usr/bin/env bash
# hyperformula 3.5.0, @formulajs/formulajs 4.6.1: an amount in cents loses a cent when it is cut to cents.
# Guess: what has two decimals is left as it is by ROUNDDOWN, ROUNDUP, TRUNC and FLOOR, as in Excel, which
# both packages name. The guide of hyperformula says that it rounds floating-point numbers by itself, as Excel
# does.
# So: 19.99 becomes 19.98, and 1.10 becomes 1.11. In formulajs, ROUNDDOWN is right, but not TRUNC and FLOOR.
# Issue 1746 of hyperformula, which is open, reports the same of ROUND for a computed cell.
#
# Output seen on 2026-11-30:
#   hyperformula: =ROUNDDOWN(19.99,2) is 19.98
#   hyperformula: =TRUNC(19.99,2) is 19.98
#   hyperformula: =ROUNDUP(1.1,2) is 1.11
#   hyperformula: =FLOOR(19.99,0.01) is 19.98
#   formulajs: TRUNC(19.99, 2) is 19.98
#   formulajs: FLOOR(19.99, 0.01) is 19.98
#   hyperformula: ROUNDDOWN changes 573 of the amounts up to $99.99
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts hyperformula@3.5.0 @formulajs/formulajs@4.6.1

seen=$(node --input-type=module - <<'END'
import * as formulajs from "@formulajs/formulajs";
import { HyperFormula } from "hyperformula";
const sheet = HyperFormula.buildFromArray([[]], { licenseKey: "gpl-v3" });
const hyperformula = (formula) => sheet.calculateFormula(formula, 0);
for (const formula of ["=ROUNDDOWN(19.99,2)", "=TRUNC(19.99,2)", "=ROUNDUP(1.1,2)", "=FLOOR(19.99,0.01)"]) {
  console.log("hyperformula:", formula, "is", hyperformula(formula));
}
console.log("formulajs: TRUNC(19.99, 2) is", formulajs.TRUNC(19.99, 2));
console.log("formulajs: FLOOR(19.99, 0.01) is", formulajs.FLOOR(19.99, 0.01));
const amounts = Array.from({ length: 10_000 }, (_, cents) => cents / 100);
const changed = amounts.filter((amount) => hyperformula(`=ROUNDDOWN(${amount},2)`) !== amount);
console.log("hyperformula: ROUNDDOWN changes", changed.length, "of the amounts up to $99.99");
END
)

expected=$(cat <<'END'
hyperformula: =ROUNDDOWN(19.99,2) is 19.98
hyperformula: =TRUNC(19.99,2) is 19.98
hyperformula: =ROUNDUP(1.1,2) is 1.11
hyperformula: =FLOOR(19.99,0.01) is 19.98
formulajs: TRUNC(19.99, 2) is 19.98
formulajs: FLOOR(19.99, 0.01) is 19.98
hyperformula: ROUNDDOWN changes 573 of the amounts up to $99.99
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
