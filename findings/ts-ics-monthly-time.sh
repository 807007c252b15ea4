#!/usr/bin/env bash
# ts-ics 2.4.6: of an event on a weekday of each month, the time of day is lost.
# Guess: an event at 10:00 on the last Friday of each month is repeated at 10:00, and its first time is its
# start.
# So: `extendByRecurrenceRule` gives midnight, and it leaves out the first time, since that midnight lies
# before the start (RFC 5545, sections 3.3.10 and 3.8.5.3). With `BYMONTHDAY` the time is kept.
#
# Output seen on 2026-11-29:
#   FREQ=MONTHLY;BYDAY=-1FR;COUNT=3: 2026-12-25T00:00 2027-01-29T00:00 2027-02-26T00:00
#   FREQ=MONTHLY;BYMONTHDAY=15;COUNT=3: 2026-11-15T10:00 2026-12-15T10:00 2027-01-15T10:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ts-ics@2.4.6

seen=$(TZ=UTC node --input-type=module - <<'END'
import { convertIcsRecurrenceRule, extendByRecurrenceRule } from "ts-ics";
for (const [day, value] of [
  ["2026-11-27", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3"],
  ["2026-11-15", "FREQ=MONTHLY;BYMONTHDAY=15;COUNT=3"],
]) {
  const rule = convertIcsRecurrenceRule(undefined, { value });
  const start = new Date(`${day}T10:00:00Z`);
  const times = extendByRecurrenceRule(rule, { start, end: new Date("2028-01-01T00:00:00Z") });
  console.log(`${value}: ${times.map((time) => time.toISOString().slice(0, 16)).join(" ")}`);
}
END
)

expected=$(cat <<'END'
FREQ=MONTHLY;BYDAY=-1FR;COUNT=3: 2026-12-25T00:00 2027-01-29T00:00 2027-02-26T00:00
FREQ=MONTHLY;BYMONTHDAY=15;COUNT=3: 2026-11-15T10:00 2026-12-15T10:00 2027-01-15T10:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
