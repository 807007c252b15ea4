#!/usr/bin/env bash
# node-ical 0.27.2: a VTIMEZONE in the file is not used when its name is no IANA name.
# Guess: an event is read by the rules of the VTIMEZONE that the file itself defines, as RFC 5545 (section
# 3.6.5) asks.
# So: the wall time is read in the zone of the machine that runs the reader, and the event still claims its
# own zone name. 09:00 at -04:00 is 13:00Z, but a server in UTC reads 09:00Z and one in Los Angeles reads
# 16:00Z. Nothing is thrown.
#
# Output seen on 2026-11-28:
#   machine in UTC: 2027-07-14T09:00:00.000Z, zone "Practice Time"
#   machine in America/Los_Angeles: 2027-07-14T16:00:00.000Z, zone "Practice Time"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-ical@0.27.2

read_event() {
  TZ=$1 node --input-type=module - <<'END'
import ical from "node-ical";
const file = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VTIMEZONE
TZID:Practice Time
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1
DTSTAMP:20260101T000000Z
DTSTART;TZID=Practice Time:20270714T090000
DURATION:PT1H
END:VEVENT
END:VCALENDAR
`.replaceAll("\n", "\r\n");
const { start } = Object.values(ical.sync.parseICS(file)).find((part) => part.type === "VEVENT");
console.log(`machine in ${process.env.TZ}: ${start.toISOString()}, zone "${start.tz}"`);
END
}
seen=$(read_event UTC; read_event America/Los_Angeles)

expected=$(cat <<'END'
machine in UTC: 2027-07-14T09:00:00.000Z, zone "Practice Time"
machine in America/Los_Angeles: 2027-07-14T16:00:00.000Z, zone "Practice Time"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
