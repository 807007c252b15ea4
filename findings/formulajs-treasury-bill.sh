#!/usr/bin/env bash
# @formulajs/formulajs 4.6.1: a Treasury bill of 62 days is priced for 61.
# Guess: the functions for Treasury bills give what Excel does: the package calls itself an implementation of
# most of Excel's functions. The dates are those of Microsoft's example for TBILLPRICE, which gives 98.45. A
# bill is discounted by the days that pass, on a year of 360 (31 CFR part 356, appendix B).
# So: the days are those of DAYS360, which has months of 30 days. On a million, the price is $250 too high.
#
# Output seen on 2026-11-30:
#   TBILLPRICE at a discount of 9 %: 98.475 (Excel: 98.450)
#   TBILLYIELD at 98.45: 0.09292 (Excel: 0.09142)
#   TBILLEQ at 9.14 %: 0.09413 (Excel: 0.09415)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @formulajs/formulajs@4.6.1

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import { TBILLEQ, TBILLPRICE, TBILLYIELD } from "@formulajs/formulajs";
const [settlement, maturity] = [new Date(2008, 2, 31), new Date(2008, 5, 1)];
console.log("TBILLPRICE at a discount of 9 %:", TBILLPRICE(settlement, maturity, 0.09).toFixed(3), "(Excel: 98.450)");
console.log("TBILLYIELD at 98.45:", TBILLYIELD(settlement, maturity, 98.45).toFixed(5), "(Excel: 0.09142)");
console.log("TBILLEQ at 9.14 %:", TBILLEQ(settlement, maturity, 0.0914).toFixed(5), "(Excel: 0.09415)");
END
)

expected=$(cat <<'END'
TBILLPRICE at a discount of 9 %: 98.475 (Excel: 98.450)
TBILLYIELD at 98.45: 0.09292 (Excel: 0.09142)
TBILLEQ at 9.14 %: 0.09413 (Excel: 0.09415)
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
