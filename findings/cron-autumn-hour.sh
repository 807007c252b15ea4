#!/usr/bin/env bash
# cron 4.4.0: on the day on which summer time ends, the job of half past two runs at half past one, too.
# Guess: a daily job runs once a day. 02:30 comes once on that day; only the hour before it is repeated.
# So: where an hour earlier it is one o'clock for the second time, the job is moved to that hour. It runs at
# 01:30 of standard time and again at 02:30, and a reminder is sent twice. The jobs of 01:30 and of 03:30 run
# once.
#
# Output seen on 2026-11-30:
#   30 1 * * *: 2026-11-01 01:30 -04:00, 2026-11-02 01:30 -05:00, 2026-11-03 01:30 -05:00
#   30 2 * * *: 2026-11-01 01:30 -05:00, 2026-11-01 02:30 -05:00, 2026-11-02 02:30 -05:00
#   30 3 * * *: 2026-11-01 03:30 -05:00, 2026-11-02 03:30 -05:00, 2026-11-03 03:30 -05:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cron@4.4.0

seen=$(node --input-type=module - <<'END'
import { CronTime } from "cron";
const zone = "America/New_York";
for (const job of ["30 1 * * *", "30 2 * * *", "30 3 * * *"]) {
  const time = new CronTime(job, zone);
  const runs = [];
  for (let last = new Date("2026-10-31T16:00:00Z"); runs.length < 3; runs.push(last)) {
    last = time.getNextDateFrom(last, zone);
  }
  console.log(`${job}: ${runs.map((run) => run.toFormat("yyyy-MM-dd HH:mm ZZ")).join(", ")}`);
}
END
)

expected=$(cat <<'END'
30 1 * * *: 2026-11-01 01:30 -04:00, 2026-11-02 01:30 -05:00, 2026-11-03 01:30 -05:00
30 2 * * *: 2026-11-01 01:30 -05:00, 2026-11-01 02:30 -05:00, 2026-11-02 02:30 -05:00
30 3 * * *: 2026-11-01 03:30 -05:00, 2026-11-02 03:30 -05:00, 2026-11-03 03:30 -05:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
