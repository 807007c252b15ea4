#!/usr/bin/env bash
# local-crontab 0.1.8: what is due on Monday evening in Phoenix is due on Sunday evening.
# Guess: eight in the evening on Monday in Phoenix is three in the morning on Tuesday in UTC: `0 3 * * 2`. The
# README says that the crontabs in UTC stand for the local one.
# So: only the hour is moved. Where the date in UTC is another one, the weekday, the day and the month stay as
# they were, and the job runs a day early. East of Greenwich it runs a day late.
#
# Output seen on 2026-12-01:
#   0 10 * * 1 in America/Phoenix: 0 17 * * 1
#   0 20 * * 1 in America/Phoenix: 0 3 * * 1
#   0 20 31 12 * in America/Phoenix: 0 3 31 12 *
#   0 8 * * 1 in Asia/Tokyo: 0 23 * * 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts local-crontab@0.1.8

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { localCrontabToUtcCrontabs } = createRequire(`${process.cwd()}/`)("local-crontab");
for (const [crontab, zone] of [
  ["0 10 * * 1", "America/Phoenix"], ["0 20 * * 1", "America/Phoenix"],
  ["0 20 31 12 *", "America/Phoenix"], ["0 8 * * 1", "Asia/Tokyo"],
]) {
  console.log(`${crontab} in ${zone}: ${localCrontabToUtcCrontabs(crontab, zone)}`);
}
END
)

expected=$(cat <<'END'
0 10 * * 1 in America/Phoenix: 0 17 * * 1
0 20 * * 1 in America/Phoenix: 0 3 * * 1
0 20 31 12 * in America/Phoenix: 0 3 31 12 *
0 8 * * 1 in Asia/Tokyo: 0 23 * * 1
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
