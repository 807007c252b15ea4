#!/usr/bin/env bash
# node-ical 0.27.2: DURATION:P1D is 24 hours, also across a clock change.
# Guess: P1D is a calendar day and PT24H is 24 hours, as RFC 5545 (section 3.3.6) says for a zone with clock
# changes.
# So: both end at the same instant. The day that begins at noon before the clocks go forward ends at 13:00,
# not at noon.
#
# Output seen on 2026-11-28:
#   P1D ends at 2027-03-14 13:00:00 in New York
#   PT24H ends at 2027-03-14 13:00:00 in New York
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-ical@0.27.2

seen=$(TZ=UTC node --input-type=module - <<'END'
import ical from "node-ical";
const end = (duration) => {
  const event = ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z",
    "DTSTART;TZID=America/New_York:20270313T120000", `DURATION:${duration}`, "END:VEVENT"];
  const file = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//example//EN", ...event, "END:VCALENDAR", ""];
  return Object.values(ical.sync.parseICS(file.join("\r\n"))).find((part) => part.type === "VEVENT").end;
};
const wall = (date) => date.toLocaleString("sv-SE", { timeZone: "America/New_York" });
for (const duration of ["P1D", "PT24H"]) console.log(`${duration} ends at ${wall(end(duration))} in New York`);
END
)

expected=$(cat <<'END'
P1D ends at 2027-03-14 13:00:00 in New York
PT24H ends at 2027-03-14 13:00:00 in New York
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
