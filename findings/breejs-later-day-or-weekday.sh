#!/usr/bin/env bash
# @breejs/later 4.2.0: a day of the month and a weekday have to come together.
# Guess: where a cron expression has both, either is enough (POSIX, crontab). The documentation takes any
# valid cron expression. `0 10 1,15 * 1` is due on the 1st, on the 15th and on each Monday.
# So: it is due only on a 1st or a 15th that is a Monday. From December to January nothing is due at all, and
# the parser gives no error.
#
# Output seen on 2026-11-29:
#   2027-02-01T10:00:00.000Z
#   2027-02-15T10:00:00.000Z
#   2027-03-01T10:00:00.000Z
#   2027-03-15T10:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @breejs/later@4.2.0

seen=$(node --input-type=module - <<'END'
import later from "@breejs/later";
const times = later.schedule(later.parse.cron("0 10 1,15 * 1")).next(4, new Date("2026-11-29T00:00:00Z"));
for (const time of times) console.log(time.toISOString());
END
)

expected=$(cat <<'END'
2027-02-01T10:00:00.000Z
2027-02-15T10:00:00.000Z
2027-03-01T10:00:00.000Z
2027-03-15T10:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
