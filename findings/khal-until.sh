#!/usr/bin/env bash
# khal 0.10.5-1.1 (Debian): of a weekly consult until 22 December, the one on 22 December is missing.
# Guess: `khal new --repeat weekly --until 2026-12-22` has a consult on that day, too: UNTIL is the last time
# that counts (RFC 5545, section 3.3.10), and the manual says that it tells until when an event should run.
# So: the date becomes its first minute, and ten in the morning is after it. The source of version 0.14.0 has
# the same.
#
# Output seen on 2026-11-30:
#   RRULE:FREQ=WEEKLY;UNTIL=20261222T050000Z
#   2026-12-01 10:00 Consult
#   2026-12-08 10:00 Consult
#   2026-12-15 10:00 Consult
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq khal=1:0.10.5-1.1 python3-atomicwrites=1.4.1-1 python3-click-log=0.3.2-1 \
  python3-click=8.1.3-2 python3-configobj=5.0.8-1 python3-dateutil=2.8.2-2 python3-icalendar=4.0.3-5 \
  python3-pytz-deprecation-shim=0.1.0.post0-3 python3-six=1.16.0-4 python3-tz=2022.7.1-4 \
  python3-tzlocal=4.2-1 python3-urwid=2.1.2-4+deb12u1 python3-xdg=0.28-2 \
  python3-pkg-resources=66.1.1-1+deb12u2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

mkdir calendar
cat >settings <<END
[calendars]
[[practice]]
path = $folder/calendar
[locale]
local_timezone = America/New_York
default_timezone = America/New_York
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[sqlite]
path = $folder/cache
END
khal() {
  PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=America/New_York HOME=$folder \
    /usr/bin/python3 -W ignore usr/bin/khal -c settings "$@" 2>/dev/null
}
khal new -a practice --repeat weekly --until 2026-12-22 2026-12-01 10:00 10:30 Consult
seen=$(grep -ho '^RRULE[^[:space:]]*' calendar/*.ics
  khal list --day-format "" --format "{start-long} {title}" 2026-12-01 2027-01-15)

expected=$(cat <<'END'
RRULE:FREQ=WEEKLY;UNTIL=20261222T050000Z
2026-12-01 10:00 Consult
2026-12-08 10:00 Consult
2026-12-15 10:00 Consult
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
