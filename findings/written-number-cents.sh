#!/usr/bin/env bash
# written-number 0.11.1: two and a half is written "three".
# Guess: a number with cents keeps them in words, or gives an error, or loses them as `toWords` of number-to-words
# says of itself. The README speaks of numbers, without a word on fractions.
# So: it is rounded to a whole number. The words on a cheque over $19.99 are those of $20, and beside the digits it is
# the words that count (UCC, section 3-114).
#
# Output seen on 2026-11-30:
#   19: nineteen
#   19.4: nineteen
#   19.99: twenty
#   2.5: three
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts written-number@0.11.1

seen=$(node --input-type=module - <<'END'
import writtenNumber from "written-number";
for (const amount of [19, 19.4, 19.99, 2.5]) console.log(`${amount}: ${writtenNumber(amount)}`);
END
)

expected=$(cat <<'END'
19: nineteen
19.4: nineteen
19.99: twenty
2.5: three
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
