#!/usr/bin/env bash
# amortize 1.1.0: of a loan of $10,000, $10,200 are paid back.
# Guess: with `principalPayment: 200`, as in the comment of the function, the principal that is paid is the loan, and
# the last payment is smaller. The README has `principal` for the principal paid.
# So: only the regular part of the last payment is limited to what is owed, and the extra is added to it in full. The
# principal is too high by it, and the balance ends below zero.
#
# Output seen on 2026-12-01:
#   0 more a month: principal 10000.00, balance 0
#   200 more a month: principal 10200.00, balance -200
#   500 more a month: principal 10500.00, balance -500
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts amortize@1.1.0

seen=$(node --input-type=module - <<'END'
import amortize from "amortize";
for (const extra of [0, 200, 500]) {
  const loan = amortize({ amount: 10000, rate: 5, totalTerm: 60, amortizeTerm: 60, principalPayment: extra });
  console.log(`${extra} more a month: principal ${loan.principalRound}, balance ${Math.round(loan.balance)}`);
}
END
)

expected=$(cat <<'END'
0 more a month: principal 10000.00, balance 0
200 more a month: principal 10200.00, balance -200
500 more a month: principal 10500.00, balance -500
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
