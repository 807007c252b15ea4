#!/usr/bin/env bash
# accounting 0.4.1: some half cents are rounded down.
# Guess: half a cent is rounded up. The comment on `toFixed` says that it treats floats more like decimals, so that
# 0.615 is not 0.61 as in JavaScript.
# So: 0.615 becomes 0.62, and 1.005 becomes 1.00. A test with the example of the comment shows nothing, and an
# invoice is a cent less than on paper.
#
# Output seen on 2026-11-29:
#   0.615: 0.62, $0.62
#   10.235: 10.24, $10.24
#   1.005: 1.00, $1.00
#   9.995: 9.99, $9.99
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts accounting@0.4.1

seen=$(node --input-type=module - <<'END'
import accounting from "accounting";
for (const amount of [0.615, 10.235, 1.005, 9.995])
  console.log(`${amount}: ${accounting.toFixed(amount, 2)}, ${accounting.formatMoney(amount)}`);
END
)

expected=$(cat <<'END'
0.615: 0.62, $0.62
10.235: 10.24, $10.24
1.005: 1.00, $1.00
9.995: 9.99, $9.99
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
