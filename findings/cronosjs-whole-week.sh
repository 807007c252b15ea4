#!/usr/bin/env bash
# cronosjs 1.7.1: of the weekdays 0-7 only Sunday is taken.
# Guess: 0-7 is each day, as crontab(5) has it, where 0 and 7 are both Sunday. The README gives 0-7 as the
# values of that field.
# So: 7 is turned into 0 before the range is made, which then runs from Sunday to Sunday. A daily reminder is
# sent once a week, without a warning. 1-7 and 0-6 are right. The package cron-plus of Node-RED runs on it.
#
# Output seen on 2026-11-30:
#   0-6: 2026-12-01, 2026-12-02, 2026-12-03, 2026-12-04, 0 warnings
#   1-7: 2026-12-01, 2026-12-02, 2026-12-03, 2026-12-04, 0 warnings
#   5-7: 2026-12-04, 2026-12-05, 2026-12-06, 2026-12-11, 0 warnings
#   0-7: 2026-12-06, 2026-12-13, 2026-12-20, 2026-12-27, 0 warnings
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cronosjs@1.7.1

seen=$(node --input-type=module - <<'END'
import { CronosExpression } from "cronosjs";
for (const days of ["0-6", "1-7", "5-7", "0-7"]) {
  const rule = CronosExpression.parse(`0 9 * * ${days}`, { timezone: "America/New_York" });
  const dates = rule.nextNDates(new Date("2026-12-01T00:00:00Z"), 4).map((date) => date.toISOString().slice(0, 10));
  console.log(`${days}: ${dates.join(", ")}, ${rule.warnings.length} warnings`);
}
END
)

expected=$(cat <<'END'
0-6: 2026-12-01, 2026-12-02, 2026-12-03, 2026-12-04, 0 warnings
1-7: 2026-12-01, 2026-12-02, 2026-12-03, 2026-12-04, 0 warnings
5-7: 2026-12-04, 2026-12-05, 2026-12-06, 2026-12-11, 0 warnings
0-7: 2026-12-06, 2026-12-13, 2026-12-20, 2026-12-27, 0 warnings
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
