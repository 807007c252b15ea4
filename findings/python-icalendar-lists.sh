#!/usr/bin/env bash
# python3-icalendar 4.0.3-5 (Debian): of two categories, three are written, and of two resources, one.
# Guess: what was read is written as it was. In a list, a comma divides, and a comma of a text has a backslash
# before it (RFC 5545, sections 3.1.1 and 3.3.11).
# So: in CATEGORIES, each comma is written bare, and in RESOURCES, each one gets a backslash. An event of the
# categories "Tax, US" and "Payroll" is found under "Tax", "US" and "Payroll" after it was saved, and a room
# and a projector are one thing. A text in SUMMARY is right. collective/icalendar pull request 1058 of
# December 2025 mended the categories.
#
# Output seen on 2026-12-01:
#   CATEGORIES:Tax\, US,Payroll is written CATEGORIES:Tax, US,Payroll
#   RESOURCES:Room,Projector is written RESOURCES:Room\,Projector
#   SUMMARY:Tax\, US is written SUMMARY:Tax\, US
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-icalendar=4.0.3-5 python3-dateutil python3-tz python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from icalendar import Event
for line in (r"CATEGORIES:Tax\, US,Payroll", "RESOURCES:Room,Projector", r"SUMMARY:Tax\, US"):
    read = ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20261201T000000Z", line, "END:VEVENT", ""]
    name = line.split(":")[0]
    written = Event.from_ical("\r\n".join(read)).to_ical().decode().split("\r\n")
    print(line, "is written", next(each for each in written if each.startswith(name)))
END
)

expected=$(cat <<'END'
CATEGORIES:Tax\, US,Payroll is written CATEGORIES:Tax, US,Payroll
RESOURCES:Room,Projector is written RESOURCES:Room\,Projector
SUMMARY:Tax\, US is written SUMMARY:Tax\, US
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
