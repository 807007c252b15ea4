#!/usr/bin/env bash
# money-math 2.6.3: a product or a quotient below zero is up to two cents off.
# Guess: a credit note over -2.00 that is split among three is the mirror of an invoice over 2.00: -0.67 for
# 0.67.
# So: below zero half a cent is added, as above, and the rest is cut off toward zero. -0.6667 becomes -0.65,
# and -11.0889 becomes -11.07. Half a cent below zero even becomes a cent above it.
#
# Output seen on 2026-11-29:
#   div of 2.00 and 3.00: 0.67, of -2.00: -0.65
#   mul of 3.33 and 3.33: 11.09, of -3.33: -11.07
#   percent of 19.99 and 7.25: 1.45, of -19.99: -1.44
#   percent of 0.10 and 5.00: 0.01, of -0.10: 0.01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts money-math@2.6.3

seen=$(node --input-type=module - <<'END'
import money from "money-math";
for (const [name, a, b] of [
  ["div", "2.00", "3.00"],
  ["mul", "3.33", "3.33"],
  ["percent", "19.99", "7.25"],
  ["percent", "0.10", "5.00"],
])
  console.log(`${name} of ${a} and ${b}: ${money[name](a, b)}, of -${a}: ${money[name](`-${a}`, b)}`);
END
)

expected=$(cat <<'END'
div of 2.00 and 3.00: 0.67, of -2.00: -0.65
mul of 3.33 and 3.33: 11.09, of -3.33: -11.07
percent of 19.99 and 7.25: 1.45, of -19.99: -1.44
percent of 0.10 and 5.00: 0.01, of -0.10: 0.01
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
