#!/usr/bin/env bash
# python3-icalendar 4.0.3-5 (Debian): a zone of Python's `zoneinfo` is written as its abbreviation.
# Guess: a time in ZoneInfo("America/New_York") is written with TZID=America/New_York, as one of pytz is.
# So: in winter it is TZID=EST, and in summer TZID=EDT. EST is five hours behind UTC all year, so that a weekly
# consult is an hour off from March on, and the IANA database has no zone EDT. Known as issue 333, which is closed
# since.
#
# Output seen on 2026-11-30:
#   pytz: DTSTART;TZID=America/New_York;VALUE=DATE-TIME:20260105T100000
#   zoneinfo: DTSTART;TZID=EST;VALUE=DATE-TIME:20260105T100000
#   pytz: DTSTART;TZID=America/New_York;VALUE=DATE-TIME:20260705T100000
#   zoneinfo: DTSTART;TZID=EDT;VALUE=DATE-TIME:20260705T100000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-icalendar=4.0.3-5 python3-dateutil=2.8.2-2 python3-tz=2022.7.1-4 \
  python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from datetime import datetime
from zoneinfo import ZoneInfo
from icalendar import Event
from pytz import timezone
zone = "America/New_York"
for month in (1, 7):
    time = datetime(2026, month, 5, 10)
    for source, aware in ("pytz", timezone(zone).localize(time)), ("zoneinfo", time.replace(tzinfo=ZoneInfo(zone))):
        event = Event()
        event.add("dtstart", aware)
        print(f"{source}: {event.to_ical().decode().splitlines()[1]}")
END
)

expected=$(cat <<'END'
pytz: DTSTART;TZID=America/New_York;VALUE=DATE-TIME:20260105T100000
zoneinfo: DTSTART;TZID=EST;VALUE=DATE-TIME:20260105T100000
pytz: DTSTART;TZID=America/New_York;VALUE=DATE-TIME:20260705T100000
zoneinfo: DTSTART;TZID=EDT;VALUE=DATE-TIME:20260705T100000
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
