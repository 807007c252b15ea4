#!/usr/bin/env bash
# cron-parser 5.10.5: backwards, a time in the repeated autumn hour comes twice.
# Guess: `prev` gives the times of `next` in the opposite order.
# So: on the day on which the clocks go back, 1:30 comes twice. `next` gives the first 1:30 alone, and `prev`
# gives both. A job that looks back for reminders that are due finds one too many.
#
# Output seen on 2026-11-29:
#   next: 2026-11-01T05:30, 2026-11-02T06:30, 2026-11-03T06:30
#   prev: 2026-11-02T06:30, 2026-11-01T06:30, 2026-11-01T05:30
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cron-parser@5.10.5

seen=$(node --input-type=module - <<'END'
import { CronExpressionParser } from "cron-parser";
const daily = (currentDate) => CronExpressionParser.parse("30 1 * * *", { currentDate, tz: "America/New_York" });
const forwards = daily("2026-10-31T12:00:00Z");
const backwards = daily("2026-11-02T12:00:00Z");
const three = (step) => [1, 2, 3].map(() => step().toDate().toISOString().slice(0, 16)).join(", ");
console.log(`next: ${three(() => forwards.next())}`);
console.log(`prev: ${three(() => backwards.prev())}`);
END
)

expected=$(cat <<'END'
next: 2026-11-01T05:30, 2026-11-02T06:30, 2026-11-03T06:30
prev: 2026-11-02T06:30, 2026-11-01T06:30, 2026-11-01T05:30
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
