#!/usr/bin/env bash
# parse-money 1.0.12: the number of the invoice becomes part of its amount.
# Guess: an amount is found within a text. The README says so, and shows it with words before and after.
# So: all digits of the text are put together, without an error. $50.00 for invoice 4711 is read as $471,150.
# The books are wrong by that.
#
# Output seen on 2026-11-29:
#   Invoice: $50.00 -> 50
#   Invoice 4711: $50.00 -> 471150
#   12/01 $50.00 -> 120150
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts parse-money@1.0.12

seen=$(node --input-type=module - <<'END'
import parseMoney from "parse-money";
for (const text of ["Invoice: $50.00", "Invoice 4711: $50.00", "12/01 $50.00"])
  console.log(`${text} -> ${parseMoney.default(text).amount}`);
END
)

expected=$(cat <<'END'
Invoice: $50.00 -> 50
Invoice 4711: $50.00 -> 471150
12/01 $50.00 -> 120150
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
