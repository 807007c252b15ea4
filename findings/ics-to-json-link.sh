#!/usr/bin/env bash
# ics-to-json 2.0.2: the link of a video call is `https`.
# Guess: the first colon outside of quotes divides name and value (RFC 5545, section 3.1). Each later colon is
# text. The LOCATION of a consult by video holds its link.
# So: a text ends at its next colon, without an error. Of a link only `https` is left, and the client cannot
# join. A title loses what it says after a colon.
#
# Output seen on 2026-11-29:
#   summary: Consult
#   location: https
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ics-to-json@2.0.2

seen=$(node --input-type=module - <<'END'
import { icsToJson } from "ics-to-json";
const [event] = icsToJson(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1",
  "DTSTAMP:20261101T000000Z", "DTSTART:20261201T190000Z", "DTEND:20261201T193000Z", "SUMMARY:Consult: estimated taxes",
  "LOCATION:https://meet.example.com/dana", "END:VEVENT", "END:VCALENDAR", ""].join("\r\n"));
for (const name of ["summary", "location"]) console.log(`${name}: ${event[name]}`);
END
)

expected=$(cat <<'END'
summary: Consult
location: https
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
