#!/usr/bin/env bash
# python3-recurring-ical-events 2.0.1-1 (Debian): what lasts all day is over when the day begins.
# Guess: an event whose start is a date, without an end, lasts for that day (RFC 5545, section 3.6.1). It is
# found at any time of the day, as it is with an end on the next day.
# So: it ends at the moment it begins. Whoever asks for ten to eleven of a day on leave finds nothing, and the
# time looks free.
#
# Output seen on 2026-11-29:
#   2 December, 10:00 to 11:00, DTEND;VALUE=DATE:20261203: 1 found
#   2 December, 10:00 to 11:00, without an end: 0 found
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-recurring-ical-events=2.0.1-1 python3-x-wr-timezone=0.0.5-2 \
  python3-icalendar=4.0.3-5 python3-dateutil=2.8.2-2 python3-tz=2022.7.1-4 python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
import icalendar
import recurring_ical_events
def at_ten(*end):
    calendar = icalendar.Calendar.from_ical("\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN",
        "BEGIN:VEVENT", "UID:1", "DTSTAMP:20261101T000000Z", "DTSTART;VALUE=DATE:20261202", *end, "SUMMARY:On leave",
        "END:VEVENT", "END:VCALENDAR", ""]))
    found = recurring_ical_events.of(calendar).between(datetime.datetime(2026, 12, 2, 10),
                                                       datetime.datetime(2026, 12, 2, 11))
    print(f"2 December, 10:00 to 11:00, {end[0] if end else 'without an end'}: {len(found)} found")
at_ten("DTEND;VALUE=DATE:20261203")
at_ten()
END
)

expected=$(cat <<'END'
2 December, 10:00 to 11:00, DTEND;VALUE=DATE:20261203: 1 found
2 December, 10:00 to 11:00, without an end: 0 found
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
