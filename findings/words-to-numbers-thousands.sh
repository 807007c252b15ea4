#!/usr/bin/env bash
# words-to-numbers 1.5.1: twenty five thousand is 5020.
# Guess: twenty five thousand is 25000. The README has `twenty thousand five hundred and sixty nine`, and
# hundreds that are followed by tens and units.
# So: only the last word before `thousand` or `million` is multiplied by it, and the words before that one are
# added. A client who says that an income is one hundred twenty five thousand dollars has 5120.
#
# Output seen on 2026-12-01:
#   twenty thousand five hundred: 20500
#   twenty five thousand: 5020
#   two hundred thousand: 200000
#   two hundred fifty thousand: 50200
#   one hundred twenty five thousand: 5120
#   one hundred fifty million: 50000100
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts words-to-numbers@1.5.1

seen=$(node --input-type=module - <<'END'
import words from "words-to-numbers";
for (const text of [
  "twenty thousand five hundred", "twenty five thousand", "two hundred thousand",
  "two hundred fifty thousand", "one hundred twenty five thousand", "one hundred fifty million",
]) {
  console.log(`${text}: ${words.wordsToNumbers(text)}`);
}
END
)

expected=$(cat <<'END'
twenty thousand five hundred: 20500
twenty five thousand: 5020
two hundred thousand: 200000
two hundred fifty thousand: 50200
one hundred twenty five thousand: 5120
one hundred fifty million: 50000100
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
