#!/usr/bin/env bash
# @datasert/cronjs-matcher 1.4.0: when summer time begins, the times that follow go back.
# Guess: each time that `getFutureMatches` gives is later than the one before it. In New York, 03:00 follows
# 01:59 when summer time begins: one hour has passed.
# So: 02:00 and 02:30, which do not exist, are taken for 03:00 and 03:30, which follow once more. Of an hourly
# event, one time is listed twice, and the times of an event each half hour go back.
#
# Output seen on 2026-11-30:
#   0 * * * *: 06:00, 07:00, 07:00, 08:00, 09:00, 10:00 UTC
#   */30 * * * *: 06:00, 06:30, 07:00, 07:30, 07:00, 07:30 UTC
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @datasert/cronjs-matcher@1.4.0

seen=$(node --input-type=module - <<'END'
import cronjs from "@datasert/cronjs-matcher";
for (const event of ["0 * * * *", "*/30 * * * *"]) {
  const from = { startAt: "2026-03-08T06:00:00Z", matchCount: 6, timezone: "America/New_York" };
  console.log(`${event}: ${cronjs.getFutureMatches(event, from).map((time) => time.slice(11, 16)).join(", ")} UTC`);
}
END
)

expected=$(cat <<'END'
0 * * * *: 06:00, 07:00, 07:00, 08:00, 09:00, 10:00 UTC
*/30 * * * *: 06:00, 06:30, 07:00, 07:30, 07:00, 07:30 UTC
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
