#!/usr/bin/env bash
# rfc5545-rrule 1.1.1: the last date of a rule is read in the zone of the machine, and written as a time in
# UTC.
# Guess: `RRule.fromString("RRULE:FREQ=DAILY;UNTIL=20261222").toString()` is that rule. UNTIL has to be a date
# where DTSTART is one (RFC 5545, section 3.3.10).
# So: it becomes a time. On a machine in Tokyo it is one of 21 December, so that the last day is missing; in
# New York, it is five in the morning. A rule that was only read and saved has another end on each machine,
# and a form that its DTSTART does not allow.
#
# Output seen on 2026-11-30:
#   UTC: RRULE:FREQ=DAILY;UNTIL=20261222 is written RRULE:FREQ=DAILY;UNTIL=20261222T000000Z
#   America/New_York: RRULE:FREQ=DAILY;UNTIL=20261222 is written RRULE:FREQ=DAILY;UNTIL=20261222T050000Z
#   Asia/Tokyo: RRULE:FREQ=DAILY;UNTIL=20261222 is written RRULE:FREQ=DAILY;UNTIL=20261221T150000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rfc5545-rrule@1.1.1

seen=$(for zone in UTC America/New_York Asia/Tokyo; do
  TZ=$zone node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { RRule } = createRequire(`${process.cwd()}/`)("rfc5545-rrule");
const rule = "RRULE:FREQ=DAILY;UNTIL=20261222";
console.log(`${process.env.TZ}: ${rule} is written ${RRule.fromString(rule).toString()}`);
END
done)

expected=$(cat <<'END'
UTC: RRULE:FREQ=DAILY;UNTIL=20261222 is written RRULE:FREQ=DAILY;UNTIL=20261222T000000Z
America/New_York: RRULE:FREQ=DAILY;UNTIL=20261222 is written RRULE:FREQ=DAILY;UNTIL=20261222T050000Z
Asia/Tokyo: RRULE:FREQ=DAILY;UNTIL=20261222 is written RRULE:FREQ=DAILY;UNTIL=20261221T150000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
