#!/usr/bin/env bash
# @formulajs/formulajs 4.6.1: what is late by twenty workdays is late by twenty-seven.
# Guess: `NETWORKDAYS` counts workdays in both directions, as in Excel: from 20 November to 18 December they
# are 20, and back they are -20. `NETWORKDAYS.INTL`, which it calls, has a comment that the start may be later
# than the end.
# So: backwards, neither weekends nor holidays are taken out. The result is the difference of the dates plus
# one.
#
# Output seen on 2026-11-30:
#   from 11/20/2026 to 12/18/2026: 20 workdays
#   from 12/18/2026 to 11/20/2026: -27 workdays
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @formulajs/formulajs@4.6.1

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import { NETWORKDAYS } from "@formulajs/formulajs";
const thanksgiving = ["11/26/2026"];
for (const [start, end] of [["11/20/2026", "12/18/2026"], ["12/18/2026", "11/20/2026"]]) {
  console.log(`from ${start} to ${end}: ${NETWORKDAYS(start, end, thanksgiving)} workdays`);
}
END
)

expected=$(cat <<'END'
from 11/20/2026 to 12/18/2026: 20 workdays
from 12/18/2026 to 11/20/2026: -27 workdays
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
