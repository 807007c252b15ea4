#!/usr/bin/env bash
# python3-icalendar 4.0.3-5 (Debian): the zone of a time is written as its abbreviation of that day.
# Guess: TZID names the zone of the time, such as America/New_York (RFC 5545, section 3.2.19). `zoneinfo` of Python's
# own library is the usual way to have a zone.
# So: TZID is `EST` in winter and `EDT` in summer. Neither name says that the clocks change. A weekly event that
# begins in December stays at `EST`, and is an hour late in summer.
#
# Output seen on 2026-11-29:
#   DTSTART;TZID=EDT;VALUE=DATE-TIME:20260702T100000
#   DTSTART;TZID=EST;VALUE=DATE-TIME:20261202T100000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-icalendar=4.0.3-5 python3-dateutil=2.8.2-2 python3-tz=2022.7.1-4 \
  python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
import zoneinfo
from icalendar import Event
new_york = zoneinfo.ZoneInfo("America/New_York")
for month in (7, 12):
    event = Event()
    event.add("dtstart", datetime.datetime(2026, month, 2, 10, tzinfo=new_york))
    print(event.to_ical().decode().splitlines()[1])
END
)

expected=$(cat <<'END'
DTSTART;TZID=EDT;VALUE=DATE-TIME:20260702T100000
DTSTART;TZID=EST;VALUE=DATE-TIME:20261202T100000
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
