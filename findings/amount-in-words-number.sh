#!/usr/bin/env bash
# amount-in-words 1.0.1: in words, $2.50 is two dollars and five cents.
# Guess: the README takes a number or a text, so that 2.5 and "2.50" are one amount. 2.5 is how JavaScript
# writes $2.50.
# So: what stands after the point is read as a number of cents. An amount that ends in a full ten of cents
# loses nine tenths of them. The words are what counts on a cheque.
#
# Output seen on 2026-11-29:
#   "2.50": Two Dollars And Fifty Cents
#   2.5: Two Dollars And Five Cents
#   1250.5: One Thousand Two Hundred Fifty Dollars And Five Cents
#   1250.55: One Thousand Two Hundred Fifty Dollars And Fifty Five Cents
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts amount-in-words@1.0.1

seen=$(node --input-type=module - <<'END'
import words from "amount-in-words";
const converter = new words.AmountToWords();
for (const amount of ["2.50", 2.5, 1250.5, 1250.55])
  console.log(`${JSON.stringify(amount)}: ${converter.toWords(amount, words.CountryCodes.USA)}`);
END
)

expected=$(cat <<'END'
"2.50": Two Dollars And Fifty Cents
2.5: Two Dollars And Five Cents
1250.5: One Thousand Two Hundred Fifty Dollars And Five Cents
1250.55: One Thousand Two Hundred Fifty Dollars And Fifty Five Cents
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
