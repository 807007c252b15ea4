#!/usr/bin/env bash
# python3-vobject 0.9.6.1-2 (Debian): a time in Phoenix is written with the clock changes of Denver.
# Guess: TZID names the VTIMEZONE that gives the rules of the time (RFC 5545, section 3.2.19). Two zones whose
# rules differ have two of them.
# So: a zone of Python's own library is named by the abbreviation of its standard time. The first zone of a
# name keeps it until the process ends. Denver and Phoenix are both MST. Once an event in Denver was written,
# an event in Phoenix gets the rules of Denver, and in summer it is an hour early.
#
# Output seen on 2026-11-29:
#   Phoenix is at -0700.
#   10:00 in America/Denver: 2026-07-02 16:00:00+00:00
#   10:00 in America/Phoenix: 2026-07-02 16:00:00+00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-vobject=0.9.6.1-2 python3-dateutil=2.8.2-2 python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
import zoneinfo
import vobject
def at_ten(zone):
    calendar = vobject.iCalendar()
    calendar.add("vevent").add("dtstart").value = datetime.datetime(2026, 7, 2, 10, tzinfo=zoneinfo.ZoneInfo(zone))
    start = vobject.readOne(calendar.serialize()).vevent.dtstart.value
    print(f"10:00 in {zone}: {start.astimezone(datetime.timezone.utc)}")
print(f"Phoenix is at {datetime.datetime(2026, 7, 2, 10, tzinfo=zoneinfo.ZoneInfo('America/Phoenix')):%z}.")
at_ten("America/Denver")
at_ten("America/Phoenix")
END
)

expected=$(cat <<'END'
Phoenix is at -0700.
10:00 in America/Denver: 2026-07-02 16:00:00+00:00
10:00 in America/Phoenix: 2026-07-02 16:00:00+00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
