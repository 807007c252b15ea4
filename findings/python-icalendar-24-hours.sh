#!/usr/bin/env bash
# python3-icalendar 4.0.3-5 (Debian): a reminder 24 hours before is written as one a day before.
# Guess: what was read is written as it was. PT24H is 24 hours, and P1D is the same clock time a day on, which
# is 23 or 25 hours where the clocks change (RFC 5545, section 3.3.6).
# So: 24 hours become P1D, and 36 hours a day and twelve hours. For a program that keeps to the standard, the
# reminder of an event on the Sunday on which summer time begins is an hour off.
#
# Output seen on 2026-12-01:
#   DURATION:PT24H is written DURATION:P1D
#   DURATION:PT36H is written DURATION:P1DT12H
#   TRIGGER:-PT24H is written TRIGGER:-P1D
#   DURATION:PT23H is written DURATION:PT23H
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-icalendar=4.0.3-5 python3-dateutil python3-tz python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from icalendar import Event
for line in ("DURATION:PT24H", "DURATION:PT36H", "TRIGGER:-PT24H", "DURATION:PT23H"):
    alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Consult", line, "END:VALARM"]
    body = alarm if line.startswith("TRIGGER") else [line]
    read = ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20261201T000000Z", "DTSTART:20261201T150000Z", *body, "END:VEVENT", ""]
    written = Event.from_ical("\r\n".join(read)).to_ical().decode().split("\r\n")
    print(line, "is written", next(each for each in written if each.startswith(line.split(":")[0])))
END
)

expected=$(cat <<'END'
DURATION:PT24H is written DURATION:P1D
DURATION:PT36H is written DURATION:P1DT12H
TRIGGER:-PT24H is written TRIGGER:-P1D
DURATION:PT23H is written DURATION:PT23H
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
