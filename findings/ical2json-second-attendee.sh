#!/usr/bin/env bash
# ical2json 5.0.0: one of two attendees is lost when the calendar is written again.
# Guess: `revert(convert(calendar))` is the calendar. The documentation says that `revert` writes JSON back to
# iCalendar.
# So: where a property comes several times, the first value decides how all are written. If the first has
# parameters, each letter of a value without any becomes a parameter of its own, and the address is
# `undefined`. In the other order, a value with parameters is `[object Object]`. The client is not invited.
#
# Output seen on 2026-12-01:
#   ATTENDEE:mailto:a@example.com
#   ATTENDEE:mailto:b@example.com
#     ATTENDEE:mailto:a@example.com
#     ATTENDEE:mailto:b@example.com
#   ATTENDEE;ROLE=CHAIR:mailto:a@example.com
#   ATTENDEE:mailto:b@example.com
#     ATTENDEE;ROLE=CHAIR:mailto:a@example.com
#     ATTENDEE;0=m;1=a;2=i;3=l;4=t;5=o;6=:;7=b;8=@;9=e;10=x;11=a;12=m;13=p;14=l;15=e;16=.;17=c;18=o;19=m:undefined
#   ATTENDEE:mailto:b@example.com
#   ATTENDEE;ROLE=CHAIR:mailto:a@example.com
#     ATTENDEE:mailto:b@example.com
#     ATTENDEE:[object Object]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical2json@5.0.0

seen=$(node --input-type=module - <<'END'
import { convert, revert } from "ical2json";
const plain = "ATTENDEE:mailto:b@example.com";
const chair = "ATTENDEE;ROLE=CHAIR:mailto:a@example.com";
for (const attendees of [["ATTENDEE:mailto:a@example.com", plain], [chair, plain], [plain, chair]]) {
  const event = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1@example.com",
    "DTSTAMP:20261201T000000Z", "DTSTART:20261204T150000Z", "ORGANIZER:mailto:o@example.com", ...attendees,
    "END:VEVENT", "END:VCALENDAR", "",
  ];
  console.log(attendees.join("\n"));
  const written = revert(convert(event.join("\r\n"))).replace(/\r?\n /g, "").split(/\r?\n/);
  console.log(written.filter((line) => line.startsWith("ATTENDEE")).map((line) => `  ${line}`).join("\n"));
}
END
)

expected=$(cat <<'END'
ATTENDEE:mailto:a@example.com
ATTENDEE:mailto:b@example.com
  ATTENDEE:mailto:a@example.com
  ATTENDEE:mailto:b@example.com
ATTENDEE;ROLE=CHAIR:mailto:a@example.com
ATTENDEE:mailto:b@example.com
  ATTENDEE;ROLE=CHAIR:mailto:a@example.com
  ATTENDEE;0=m;1=a;2=i;3=l;4=t;5=o;6=:;7=b;8=@;9=e;10=x;11=a;12=m;13=p;14=l;15=e;16=.;17=c;18=o;19=m:undefined
ATTENDEE:mailto:b@example.com
ATTENDEE;ROLE=CHAIR:mailto:a@example.com
  ATTENDEE:mailto:b@example.com
  ATTENDEE:[object Object]
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
