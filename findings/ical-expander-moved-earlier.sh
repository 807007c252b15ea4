#!/usr/bin/env bash
# ical-expander 3.2.0: an appointment that was moved to an earlier week is not found there.
# Guess: `between` lists what takes place between two times. RECURRENCE-ID names the date that was replaced
# (RFC 5545, section 3.8.4.4), and DTSTART says when it takes place now. The README says that RECURRENCE-ID is
# handled.
# So: the search ends at the first date of the series that is after the range. A later date that was moved
# into the range is not reached, and its time looks free. Without an end of the range, it is found.
#
# Output seen on 2026-11-29:
#   to 8 December:
#     2026-12-02T15:00:00Z Weekly
#   without an end:
#     2026-12-02T15:00:00Z Weekly
#     2026-12-04T15:00:00Z Moved
#     2026-12-09T15:00:00Z Weekly
#     2026-12-16T15:00:00Z Weekly
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical-expander@3.2.0

seen=$(node --input-type=module - <<'END'
import IcalExpander from "ical-expander";
const ics = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1@example.com",
  "DTSTAMP:20261101T000000Z", "DTSTART:20261202T150000Z", "DTEND:20261202T153000Z", "RRULE:FREQ=WEEKLY;COUNT=4",
  "SUMMARY:Weekly", "END:VEVENT", "BEGIN:VEVENT", "UID:1@example.com", "DTSTAMP:20261102T000000Z",
  "RECURRENCE-ID:20261223T150000Z", "DTSTART:20261204T150000Z", "DTEND:20261204T153000Z", "SUMMARY:Moved",
  "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
for (const [name, end] of [["to 8 December", new Date("2026-12-08T00:00:00Z")], ["without an end", undefined]]) {
  const { events, occurrences } = new IcalExpander({ ics, maxIterations: 100 })
    .between(new Date("2026-12-01T00:00:00Z"), end);
  const found = [...events.map((event) => `${event.startDate} ${event.summary}`),
    ...occurrences.map((date) => `${date.startDate} ${date.item.summary}`)];
  console.log(`${name}:`);
  for (const line of found.sort()) console.log(`  ${line}`);
}
END
)

expected=$(cat <<'END'
to 8 December:
  2026-12-02T15:00:00Z Weekly
without an end:
  2026-12-02T15:00:00Z Weekly
  2026-12-04T15:00:00Z Moved
  2026-12-09T15:00:00Z Weekly
  2026-12-16T15:00:00Z Weekly
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
