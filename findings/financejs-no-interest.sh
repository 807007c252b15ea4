#!/usr/bin/env bash
# financejs 4.1.0: without interest, the payment of a plan is not a number.
# Guess: $1,200 in twelve months without interest are $100 a month, as PMT says in a spreadsheet.
# So: `AM` and `PMT` divide zero by zero and give `NaN`, without an error. In JSON it becomes `null`.
#
# Output seen on 2026-11-30:
#   12 %: AM 106.62, PMT 106.62
#   0.01 %: AM 100.01, PMT 100.01
#   0 %: AM null, PMT NaN
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts financejs@4.1.0

seen=$(node --input-type=module - <<'END'
import financejs from "financejs";
const finance = new (financejs.Finance ?? financejs)();
for (const rate of [12, 0.01, 0]) {
  const month = JSON.stringify(finance.AM(1200, rate, 12, 1));
  console.log(`${rate} %: AM ${month}, PMT ${finance.PMT(rate / 1200, 12, -1200).toFixed(2)}`);
}
END
)

expected=$(cat <<'END'
12 %: AM 106.62, PMT 106.62
0.01 %: AM 100.01, PMT 100.01
0 %: AM null, PMT NaN
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
