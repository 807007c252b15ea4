#!/usr/bin/env bash
# ical 0.8.0: of several busy periods in one line, only the first is read.
# Guess: FREEBUSY holds a list of periods, and each ends at a time or after a duration (RFC 5545, section 3.8.2.6). A
# server of calendars answers a free/busy query so.
# So: the first start is read. Its end is whatever stands before the next solidus: a duration, a comma and the second
# start. The second period is lost, and its time looks free.
#
# Output seen on 2026-11-29:
#   2026-12-02T15:00:00.000Z to "PT30M,20261203T150000Z"
#   2026-12-04T15:00:00.000Z to 2026-12-04T16:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical@0.8.0

seen=$(node --input-type=module - <<'END'
import ical from "ical";
const { 1: answer } = ical.parseICS(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "METHOD:REPLY",
  "BEGIN:VFREEBUSY", "UID:1", "DTSTAMP:20261101T000000Z", "DTSTART:20261201T000000Z", "DTEND:20261208T000000Z",
  "ATTENDEE:mailto:dana@example.com", "FREEBUSY;FBTYPE=BUSY:20261202T150000Z/PT30M,20261203T150000Z/PT1H",
  "FREEBUSY;FBTYPE=BUSY:20261204T150000Z/20261204T160000Z", "END:VFREEBUSY", "END:VCALENDAR", ""].join("\r\n"));
for (const { start, end } of answer.freebusy)
  console.log(`${start.toISOString()} to ${end instanceof Date ? end.toISOString() : JSON.stringify(end)}`);
END
)

expected=$(cat <<'END'
2026-12-02T15:00:00.000Z to "PT30M,20261203T150000Z"
2026-12-04T15:00:00.000Z to 2026-12-04T16:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
