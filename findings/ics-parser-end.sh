#!/usr/bin/env bash
# ics-parser 0.1.5: the end of an event is the time of its last change.
# Guess: `end` of an event is when it ends. DTSTAMP is when the event was last revised, in a file without
# METHOD (RFC 5545, section 3.8.7.2).
# So: `end` is DTSTAMP, and `endDate` is DTEND. An event with DURATION has `end` alone, which is weeks before
# its start here. The time of the consult then looks free.
#
# Output seen on 2026-11-29:
#   DTEND:20261202T153000Z: from 2026-12-02T15:00:00.000Z, end 2026-11-01T00:00:00.000Z
#     endDate 2026-12-02T15:30:00.000Z
#   DURATION:PT30M: from 2026-12-02T15:00:00.000Z, end 2026-11-01T00:00:00.000Z
#     endDate undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ics-parser@0.1.5

seen=$(TZ=UTC node --input-type=module - <<'END'
import parse from "ics-parser";
for (const end of ["DTEND:20261202T153000Z", "DURATION:PT30M"]) {
  const [event] = parse(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1@example.com",
    "DTSTAMP:20261101T000000Z", "DTSTART:20261202T150000Z", end, "SUMMARY:Consult", "END:VEVENT", "END:VCALENDAR",
    ""].join("\r\n"));
  console.log(`${end}: from ${event.startDate.toISOString()}, end ${event.end.toISOString()}`);
  console.log(`  endDate ${event.endDate?.toISOString()}`);
}
END
)

expected=$(cat <<'END'
DTEND:20261202T153000Z: from 2026-12-02T15:00:00.000Z, end 2026-11-01T00:00:00.000Z
  endDate 2026-12-02T15:30:00.000Z
DURATION:PT30M: from 2026-12-02T15:00:00.000Z, end 2026-11-01T00:00:00.000Z
  endDate undefined
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
