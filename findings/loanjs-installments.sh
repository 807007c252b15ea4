#!/usr/bin/env bash
# loanjs 1.1.2: the parts of a loan do not add up to the loan.
# Guess: the capital of all installments is the amount of the loan, and the installments together are `sum`.
# The last one makes up for what rounding left.
# So: each part is rounded by itself, the last one too. Of 1,000 in twelve months, 1,000.02 are paid back.
# `capitalSum` and `sum` say 1,000 and 1,027.30 all the same.
#
# Output seen on 2026-11-29:
#   1000 in 12 months: capital 1000, its parts 1000.02
#     to pay 1027.3, its parts 1027.32
#   5000 in 36 months: capital 5000, its parts 4999.98
#     to pay 5599.1, its parts 5599.08
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts loanjs@1.1.2

seen=$(node --input-type=module - <<'END'
import { Loan } from "loanjs";
const total = (numbers) => numbers.reduce((sum, number) => sum + Math.round(number * 100), 0) / 100;
for (const [amount, months, rate] of [[1000, 12, 5], [5000, 36, 7.5]]) {
  const { installments, capitalSum, sum } = new Loan(amount, months, rate);
  const capital = total(installments.map((part) => part.capital));
  const all = total(installments.map((part) => part.installment));
  console.log(`${amount} in ${months} months: capital ${capitalSum}, its parts ${capital}`);
  console.log(`  to pay ${sum}, its parts ${all}`);
}
END
)

expected=$(cat <<'END'
1000 in 12 months: capital 1000, its parts 1000.02
  to pay 1027.3, its parts 1027.32
5000 in 36 months: capital 5000, its parts 4999.98
  to pay 5599.1, its parts 5599.08
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
