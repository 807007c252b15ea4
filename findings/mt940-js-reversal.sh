#!/usr/bin/env bash
# mt940-js 1.0.0: a payment that the bank took back is read as a second payment.
# Guess: `RC` in field 61 of an MT940 statement, the reversal of a credit, lowers the balance, and `RD`, the
# reversal of a debit, raises it.
# So: `RC` gives the same fields as `C`, and `RD` the same as `D`; nothing else tells them apart. The sum of
# the transactions is then not the difference of the two balances, which is not checked.
#
# Output seen on 2026-11-29:
#   credit 500: balance 1500
#   credit 500: balance 2000
#   debit 20: balance 1980
#   debit 20: balance 1960
#   closing balance 1000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mt940-js@1.0.0 tslib@2.8.1

seen=$(node --input-type=module - <<'END'
import mt940 from "mt940-js";
const statement = `:20:STATEMENT
:25:10020030/1234567
:28C:1/1
:60F:C261102USD1000,00
:61:261102C500,00NTRFINV4711
:61:261103RC500,00NTRFINV4711
:61:261104D20,00NCHGNONREF
:61:261105RD20,00NCHGNONREF
:62F:C261105USD1000,00
-`;
const [{ transactions, openingBalance, closingBalance }] = await mt940.read(Buffer.from(statement));
let balance = openingBalance.value;
for (const { isCredit, amount } of transactions) {
  balance += isCredit ? amount : -amount;
  console.log(`${isCredit ? "credit" : "debit"} ${amount}: balance ${balance}`);
}
console.log(`closing balance ${closingBalance.value}`);
END
)

expected=$(cat <<'END'
credit 500: balance 1500
credit 500: balance 2000
debit 20: balance 1980
debit 20: balance 1960
closing balance 1000
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
