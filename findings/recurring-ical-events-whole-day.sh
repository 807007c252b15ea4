#!/usr/bin/env bash
# python3-recurring-ical-events 2.0.1-1 (Debian): a whole day without an end takes no time.
# Guess: an event with a date and neither an end nor a duration lasts one day (RFC 5545, section 3.6.1), so that it is
# found at ten in the morning of that day, as the same event with its end is.
# So: its end is its start. It is found only by the date or by midnight, and a program that asks whether ten is free on
# a holiday gets no event. Issue 179 of niccokunzmann/python-recurring-ical-events was mended in October 2024.
#
# Output seen on 2026-12-01:
#   without an end: on the day 1 (until 2027-01-05), from ten to eleven 0
#   DTEND;VALUE=DATE:20270106: on the day 1 (until 2027-01-06), from ten to eleven 1
#   DURATION:P1D: on the day 1 (until 2027-01-06), from ten to eleven 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-recurring-ical-events=2.0.1-1 python3-icalendar python3-x-wr-timezone \
  python3-dateutil python3-tz python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from datetime import datetime
from icalendar import Calendar
import recurring_ical_events
for end in ("", "DTEND;VALUE=DATE:20270106", "DURATION:P1D"):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1",
             "DTSTAMP:20261201T000000Z", "DTSTART;VALUE=DATE:20270105", end, "SUMMARY:Closed", "END:VEVENT",
             "END:VCALENDAR"]
    calendar = Calendar.from_ical("\r\n".join(line for line in lines if line) + "\r\n")
    events = recurring_ical_events.of(calendar)
    day = events.at((2027, 1, 5))
    hour = events.between(datetime(2027, 1, 5, 10), datetime(2027, 1, 5, 11))
    print(f"{end or 'without an end'}: on the day {len(day)} (until {day[0]['DTEND'].dt}), from ten to eleven {len(hour)}")
END
)

expected=$(cat <<'END'
without an end: on the day 1 (until 2027-01-05), from ten to eleven 0
DTEND;VALUE=DATE:20270106: on the day 1 (until 2027-01-06), from ten to eleven 1
DURATION:P1D: on the day 1 (until 2027-01-06), from ten to eleven 1
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
