#!/usr/bin/env bash
# ical-generator 11.1.2: a calendar with a time zone writes every event time, and DTSTAMP, without any zone.
# Guess: `timezone` on the calendar gives each event `DTSTART;TZID=America/Denver`, as `timezone` on the event
# does.
# So: it converts the instant to that zone and writes floating time. Only X-WR-TIMEZONE names the zone, which
# is no part of RFC 5545, so a calendar program shows 07:00 in the zone of the reader. DTSTAMP is floating
# too, though RFC 5545 (section 3.8.7.2) says that it must be UTC. The luxon object carries its own zone, so
# the machine's zone plays no part.
#
# Output seen on 2026-11-28:
#   DTSTAMP:20270714T070000
#   DTSTART:20270714T070000
#   SUMMARY:zone on the calendar
#   DTSTAMP:20270714T130000Z
#   DTSTART;TZID=America/Denver:20270714T070000
#   SUMMARY:zone on the event
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical-generator@11.1.2 luxon@3.7.2

seen=$(node --input-type=module - <<'END'
import { ICalCalendar } from "ical-generator";
import { DateTime } from "luxon";
const instant = DateTime.fromISO("2027-07-14T09:00", { zone: "America/New_York" });
const calendar = new ICalCalendar({ timezone: "America/Denver" });
const times = { stamp: instant, start: instant };
calendar.createEvent({ id: "1", ...times, summary: "zone on the calendar" });
const other = new ICalCalendar();
other.createEvent({ id: "2", ...times, timezone: "America/Denver", summary: "zone on the event" });
for (const text of [calendar.toString(), other.toString()]) {
  console.log(text.match(/^(SUMMARY|DTSTAMP|DTSTART).*$/gm).join("\n"));
}
END
)

expected=$(cat <<'END'
DTSTAMP:20270714T070000
DTSTART:20270714T070000
SUMMARY:zone on the calendar
DTSTAMP:20270714T130000Z
DTSTART;TZID=America/Denver:20270714T070000
SUMMARY:zone on the event
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
