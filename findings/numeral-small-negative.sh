#!/usr/bin/env bash
# numeral 2.0.6: a difference of less than half a cent is written 0$.00.
# Guess: an amount that rounds to nothing is $0.00, or -$0.00, in the format `$0,0.00`.
# So: just below zero the dollar sign stands within the number. $100 less three parts of $33.334 is such an
# amount.
#
# Output seen on 2026-11-29:
#   0.004: $0.00
#   -5: -$5.00
#   -0.006: -$0.01
#   -0.004: 0$.00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts numeral@2.0.6

seen=$(node --input-type=module - <<'END'
import numeral from "numeral";
for (const amount of [0.004, -5, -0.006, -0.004]) console.log(`${amount}: ${numeral(amount).format("$0,0.00")}`);
END
)

expected=$(cat <<'END'
0.004: $0.00
-5: -$5.00
-0.006: -$0.01
-0.004: 0$.00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
