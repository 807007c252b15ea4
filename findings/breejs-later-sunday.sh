#!/usr/bin/env bash
# @breejs/later 4.2.0: what is due on weekday 7 comes on Saturday.
# Guess: in a cron expression both 0 and 7 are Sunday, as crontab(5) has it, or 7 is an error. The
# documentation takes any valid cron expression.
# So: 0 is Sunday, and 7 is Saturday, as 6 is. `5-7`, from Friday to Sunday, leaves out Sunday. The parser
# gives no error.
#
# Output seen on 2026-11-29:
#   0: Sunday
#   6: Saturday
#   7: Saturday
#   5-7: Friday, Saturday
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @breejs/later@4.2.0

seen=$(node --input-type=module - <<'END'
import later from "@breejs/later";
const day = new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "UTC" });
for (const weekday of ["0", "6", "7", "5-7"]) {
  const times = later.schedule(later.parse.cron(`0 10 * * ${weekday}`)).next(4, new Date("2026-11-29T00:00:00Z"));
  console.log(`${weekday}: ${[...new Set(times.map((time) => day.format(time)))].join(", ")}`);
}
END
)

expected=$(cat <<'END'
0: Sunday
6: Saturday
7: Saturday
5-7: Friday, Saturday
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
