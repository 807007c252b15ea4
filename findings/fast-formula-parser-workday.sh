#!/usr/bin/env bash
# fast-formula-parser 1.0.19: five workdays before 1 December is 1 December.
# Guess: WORKDAY takes workdays back for a negative number, as in Excel: 24 November. The documentation lists
# WORKDAY as supported.
# So: the date stays as it is, without an error. A reminder that is due five workdays before a deadline comes
# on the day of it.
#
# Output seen on 2026-11-30:
#   WORKDAY, 5 from 1 December: 2026-12-08
#   WORKDAY, -5 from 1 December: 2026-12-01
#   WORKDAY, -30 from 1 December: 2026-12-01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts fast-formula-parser@1.0.19

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import FormulaParser from "fast-formula-parser";
const parser = new FormulaParser();
for (const days of [5, -5, -30]) {
  console.log(`WORKDAY, ${days} from 1 December:`, parser.parse(`TEXT(WORKDAY(DATE(2026,12,1),${days}),"yyyy-mm-dd")`));
}
END
)

expected=$(cat <<'END'
WORKDAY, 5 from 1 December: 2026-12-08
WORKDAY, -5 from 1 December: 2026-12-01
WORKDAY, -30 from 1 December: 2026-12-01
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
