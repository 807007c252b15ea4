#!/usr/bin/env bash
# ical.js 2.2.1: an event with further dates but no rule loses its own start.
# Guess: DTSTART is the first instance of a recurrence set (RFC 5545, section 3.8.5.3), and RDATE adds to it.
# So: where an event has RDATE alone, `iterator()` gives the further dates only. With a rule of one instance
# beside it, the start is there.
#
# Output seen on 2026-11-29:
#   no rule: 2026-12-05T10:00:00Z 2026-12-09T10:00:00Z
#   RRULE:FREQ=DAILY;COUNT=1: 2026-12-01T10:00:00Z 2026-12-05T10:00:00Z 2026-12-09T10:00:00Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical.js@2.2.1

seen=$(node --input-type=module - <<'END'
import ICAL from "ical.js";
for (const rule of [[], ["RRULE:FREQ=DAILY;COUNT=1"]]) {
  const lines = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example.com//EN", "BEGIN:VEVENT", "UID:1",
    "DTSTAMP:20261101T000000Z", "DTSTART:20261201T100000Z", "DTEND:20261201T110000Z", ...rule,
    "RDATE:20261205T100000Z,20261209T100000Z", "END:VEVENT", "END:VCALENDAR", "",
  ];
  const calendar = new ICAL.Component(ICAL.parse(lines.join("\r\n")));
  const times = new ICAL.Event(calendar.getFirstSubcomponent("vevent")).iterator();
  const seen = [];
  for (let time = times.next(); time; time = times.next()) seen.push(`${time}`);
  console.log(`${rule[0] ?? "no rule"}: ${seen.join(" ")}`);
}
END
)

expected=$(cat <<'END'
no rule: 2026-12-05T10:00:00Z 2026-12-09T10:00:00Z
RRULE:FREQ=DAILY;COUNT=1: 2026-12-01T10:00:00Z 2026-12-05T10:00:00Z 2026-12-09T10:00:00Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
