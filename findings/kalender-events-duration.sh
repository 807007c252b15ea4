#!/usr/bin/env bash
# kalender-events 0.28.3: an event with a DURATION ends when it starts.
# Guess: DTSTART with DURATION is as good as with DTEND (RFC 5545, section 3.6.1), and `eventEnd` is when the event
# ends.
# So: `eventEnd` is the start, although `duration` has the half hour. A flow of Node-RED that looks for a free time,
# or switches something off at the end, takes the consult for over. One that starts at midnight of the machine takes a
# day instead.
#
# Output seen on 2026-11-30:
#   with-end: 2026-12-02T14:30:00.000Z to 2026-12-02T15:00:00.000Z, PT30M
#   with-duration: 2026-12-02T14:30:00.000Z to 2026-12-02T14:30:00.000Z, PT30M
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts kalender-events@0.28.3

seen=$(node --input-type=module - <<'END'
import { writeFileSync } from "node:fs";
import kalenderEvents from "kalender-events";
const event = (summary, end) => {
  const lines = [`UID:${summary}@example.com`, "DTSTAMP:20261130T000000Z", "DTSTART:20261202T143000Z", end];
  return ["BEGIN:VEVENT", ...lines, `SUMMARY:${summary}`, "END:VEVENT"];
};
const events = [...event("with-end", "DTEND:20261202T150000Z"), ...event("with-duration", "DURATION:PT30M")];
const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", ...events, "END:VCALENDAR", ""];
writeFileSync("calendar.ics", lines.join("\r\n"));
const now = new Date("2026-11-30T12:00:00Z");
const range = { now, preview: 60, pastview: 0, previewUnits: "d", pastviewUnits: "d" };
const options = { type: "ical", url: `${process.cwd()}/calendar.ics`, ...range };
const calendar = new kalenderEvents.KalenderEvents(options);
for (const { summary, eventStart, eventEnd, duration } of await calendar.getEvents(options))
  console.log(`${summary}: ${eventStart.toISOString()} to ${eventEnd.toISOString()}, ${duration}`);
process.exit();
END
)

expected=$(cat <<'END'
with-end: 2026-12-02T14:30:00.000Z to 2026-12-02T15:00:00.000Z, PT30M
with-duration: 2026-12-02T14:30:00.000Z to 2026-12-02T14:30:00.000Z, PT30M
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
