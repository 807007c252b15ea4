#!/usr/bin/env bash
# hyperformula 3.5.0: INT of a negative number is one too high.
# Guess: `INT` rounds down, as the list of its functions says, and -8.9 becomes -9, as in Excel and in OpenFormula,
# which it follows. The list of differences from other spreadsheets has nothing about it.
# So: it rounds towards zero, as TRUNC does. What was due three quarters of a day ago seems to be due today,
# and a refund of $8.90 is $8 where Excel has $9.
#
# Output seen on 2026-11-30:
#   =INT(8.9) is 8
#   =INT(-8.9) is -8
#   =INT(-0.75) is 0
#   =TRUNC(-0.75) is 0
#   =FLOOR.MATH(-0.75) is -1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts hyperformula@3.5.0

seen=$(node --input-type=module - <<'END'
import { HyperFormula } from "hyperformula";
const sheet = HyperFormula.buildFromArray([[]], { licenseKey: "gpl-v3" });
for (const formula of ["=INT(8.9)", "=INT(-8.9)", "=INT(-0.75)", "=TRUNC(-0.75)", "=FLOOR.MATH(-0.75)"]) {
  console.log(formula, "is", sheet.calculateFormula(formula, 0));
}
END
)

expected=$(cat <<'END'
=INT(8.9) is 8
=INT(-8.9) is -8
=INT(-0.75) is 0
=TRUNC(-0.75) is 0
=FLOOR.MATH(-0.75) is -1
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
