#!/usr/bin/env bash
# amortizejs 1.0.3: a loan from the end of January has no payment in February.
# Guess: payments are due on the same day of each month, or on the last day of a shorter month. The README
# says that payments are monthly, and its loan from December 24 ends on a December 24.
# So: the library adds a month to the date before, and 31 February becomes 3 March. No payment is due in
# February. Each later payment is due on the third, so the borrower is given wrong due dates.
#
# Output seen on 2026-11-29:
#   2026-01-31 2026-03-03 2026-04-03 2026-05-03
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts amortizejs@1.0.3

seen=$(node --input-type=module - <<'END'
import { Calculator } from "amortizejs";
process.env.TZ = "America/New_York";
const { schedule } = Calculator.calculate({
  method: "mortgage", apr: 5, balance: 12000, loanTerm: 12, startDate: new Date(2026, 0, 31),
});
console.log(schedule.slice(0, 4).map(({ date }) => date.toLocaleDateString("sv")).join(" "));
END
)

expected=$(cat <<'END'
2026-01-31 2026-03-03 2026-04-03 2026-05-03
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
