#!/usr/bin/env bash
# ical 0.8.0: of several busy periods in one line, only the first is read.
# Guess: FREEBUSY holds a list of periods (RFC 5545, section 3.8.2.6), and each of them is busy.
# So: the line is divided at each solidus, and not at the comma. The start of the first period is read. Its
# end is a text, which holds the start of the second period. The second period is lost, and its time looks
# free.
#
# Output seen on 2026-11-29:
#   2026-12-02T15:00:00.000Z to "20261202T153000Z,20261203T150000Z"
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
  "ORGANIZER:mailto:practice@example.com", "ATTENDEE:mailto:dana@example.com",
  "FREEBUSY;FBTYPE=BUSY:20261202T150000Z/20261202T153000Z,20261203T150000Z/20261203T160000Z",
  "FREEBUSY;FBTYPE=BUSY:20261204T150000Z/20261204T160000Z", "END:VFREEBUSY", "END:VCALENDAR", ""].join("\r\n"));
for (const { start, end } of answer.freebusy)
  console.log(`${start.toISOString()} to ${end instanceof Date ? end.toISOString() : JSON.stringify(end)}`);
END
)

expected=$(cat <<'END'
2026-12-02T15:00:00.000Z to "20261202T153000Z,20261203T150000Z"
2026-12-04T15:00:00.000Z to 2026-12-04T16:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
