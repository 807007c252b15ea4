#!/usr/bin/env bash
# decimal-number-to-words 1.3.3: in words, zero and all that is below it are an empty text.
# Guess: `toWords(-3)` is "minus three", as the README has it, and 0 is "zero", as in number-to-words, of
# which the package calls itself an implementation.
# So: only what is above zero has words. A credit, and a balance that is settled, are written as nothing.
#
# Output seen on 2026-12-01:
#   3: "three"
#   0: ""
#   -3: ""
#   0.5: "zero point five"
#   -0.5: ""
#   number-to-words: zero, minus three
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts decimal-number-to-words@1.3.3 number-to-words@1.2.4

seen=$(node --input-type=module - <<'END'
import decimal from "decimal-number-to-words";
import whole from "number-to-words";
for (const value of [3, 0, -3, 0.5, -0.5]) {
  console.log(`${value}: ${JSON.stringify(decimal.toWords(value))}`);
}
console.log(`number-to-words: ${whole.toWords(0)}, ${whole.toWords(-3)}`);
END
)

expected=$(cat <<'END'
3: "three"
0: ""
-3: ""
0.5: "zero point five"
-0.5: ""
number-to-words: zero, minus three
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
