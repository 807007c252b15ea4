#!/usr/bin/env bash
# cal-parser 1.0.2: the text of a reminder replaces the description of the event.
# Guess: a VALARM within a VEVENT is a component of its own, with a DESCRIPTION of its own (RFC 5545, section
# 3.6.6).
# So: the lines of the alarm are read as lines of the event. An alarm stands after the properties of its
# event, so the text of the reminder replaces what the client wrote.
#
# Output seen on 2026-11-29:
#   without a reminder: Bring the statement
#   with a reminder: Reminder
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cal-parser@1.0.2

seen=$(node --input-type=module - <<'END'
import calendar from "cal-parser";
const alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Reminder", "TRIGGER:-PT15M", "END:VALARM"];
for (const [name, lines] of [["without a reminder", []], ["with a reminder", alarm]]) {
  const { events } = calendar.parseString(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT",
    "UID:1@example.com", "DTSTAMP:20261101T000000Z", "DTSTART:20261202T150000Z", "DTEND:20261202T153000Z",
    "SUMMARY:Consult", "DESCRIPTION:Bring the statement", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n"));
  console.log(`${name}: ${events[0].description.value}`);
}
END
)

expected=$(cat <<'END'
without a reminder: Bring the statement
with a reminder: Reminder
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
