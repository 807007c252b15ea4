#!/usr/bin/env bash
# xandikos 0.2.8-1 (Debian): a weekly consult is found in its first week only.
# Guess: a query for a week finds each event that takes place in it. A server has to expand a repeated event
# and to look at each of its dates (RFC 4791, section 7.4). The README says that CalDAV is fully implemented.
# So: only the first date is compared. A client that loads the second week is told that it is empty. It does
# not show the consult of that week, and it offers that time as free.
#
# Output seen on 2026-12-01:
#   The week of 2026-11-30 - found: True
#   The week of 2026-12-07 - found: False
#   The week of 2026-12-14 - found: False
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq xandikos=0.2.8-1 python3-icalendar python3-dateutil python3-tz python3-six \
  python3-dulwich python3-defusedxml python3-jinja2 python3-markupsafe \
  python3-aiohttp python3-multidict python3-urllib3 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from datetime import datetime, timedelta
import pytz
from xandikos.icalendar import CalendarFilter, ICalendarFile

event = ICalendarFile(["\r\n".join([
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20261101T000000Z",
    "DTSTART:20261201T150000Z", "DTEND:20261201T160000Z", "RRULE:FREQ=WEEKLY;COUNT=8", "SUMMARY:Consult",
    "END:VEVENT", "END:VCALENDAR", ""]).encode()], "text/calendar")
for week in range(3):
    start = pytz.UTC.localize(datetime(2026, 11, 30) + timedelta(weeks=week))
    query = CalendarFilter(pytz.UTC)
    events = query.filter_subcomponent("VCALENDAR").filter_subcomponent("VEVENT")
    events.filter_time_range(start=start, end=start + timedelta(days=7))
    print("The week of", start.date(), "- found:", query.check("1.ics", event))
END
)

expected=$(cat <<'END'
The week of 2026-11-30 - found: True
The week of 2026-12-07 - found: False
The week of 2026-12-14 - found: False
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
