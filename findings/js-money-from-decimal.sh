#!/usr/bin/env bash
# js-money 0.6.3: `fromDecimal` refuses $19.99.
# Guess: `fromDecimal` takes a number with two decimals, as the README says of US dollars. `Math.ceil`, which
# the README shows for more decimals, leaves such a number as it is.
# So: the number is multiplied by 100 as a binary fraction. 19.99 and 1.10 are refused. With `Math.ceil`,
# $1.10 becomes $1.11, and the client is charged a cent too much.
#
# Output seen on 2026-11-29:
#   15.25: 15.25; with Math.ceil 15.25
#   19.99: Amount must be an integer; with Math.ceil 19.99
#   1.1: Amount must be an integer; with Math.ceil 1.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts js-money@0.6.3

seen=$(node --input-type=module - <<'END'
import Money from "js-money";
for (const amount of [15.25, 19.99, 1.1]) {
  let plain;
  try { plain = Money.fromDecimal(amount, "USD").toString(); } catch (error) { plain = error.message; }
  console.log(`${amount}: ${plain}; with Math.ceil ${Money.fromDecimal(amount, "USD", Math.ceil)}`);
}
END
)

expected=$(cat <<'END'
15.25: 15.25; with Math.ceil 15.25
19.99: Amount must be an integer; with Math.ceil 19.99
1.1: Amount must be an integer; with Math.ceil 1.11
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
