#!/usr/bin/env bash
# parsecurrency 1.1.1: $.50 is fifty dollars.
# Guess: an amount below one dollar may be written without the zero, so that $.50 is $0.50, or it is refused
# as other texts are, with null. The README lists what does not work: three decimals and groups of two.
# So: the point is read as a part of the symbol of the currency, and the cents are read as dollars.
#
# Output seen on 2026-12-01:
#   $0.50: 0.5, symbol "$"
#   $.50: 50, symbol "$."
#   -$.75: -75, symbol "$."
#   .99 USD: 99, symbol "."
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts parsecurrency@1.1.1

seen=$(node --input-type=module - <<'END'
import parseCurrency from "parsecurrency";
for (const text of ["$0.50", "$.50", "-$.75", ".99 USD"]) {
  const { value, symbol } = parseCurrency(text);
  console.log(`${text}: ${value}, symbol ${JSON.stringify(symbol)}`);
}
END
)

expected=$(cat <<'END'
$0.50: 0.5, symbol "$"
$.50: 50, symbol "$."
-$.75: -75, symbol "$."
.99 USD: 99, symbol "."
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
