#!/usr/bin/env bash
# python3-workalendar 17.0.0-1 (Debian): the Federal Reserve is closed on a Friday on which it is open.
# Guess: the calendar of the Federal Reserve System has the days on which payments settle. Of a holiday on a Saturday,
# the Federal Reserve says that its banks are open on the Friday before; only a Sunday moves to the Monday.
# So: it moves a Saturday, too, as federal offices do. A payment that settles on Friday, 3 July 2026 is put down for the
# Monday after.
#
# Output seen on 2026-11-29:
#   Friday 03 July 2026: closed
#   Friday 18 June 2027: closed
#   Friday 24 December 2027: closed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-workalendar=17.0.0-1 python3-convertdate=2.4.0-1 python3-pymeeus=0.5.11+dfsg1-1 \
  python3-lunardate=0.2.0-4 python3-pyluach=1.4.1-1 python3-dateutil=2.8.2-2 python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from datetime import date
from workalendar.usa import FederalReserveSystem
calendar = FederalReserveSystem()
for day in (date(2026, 7, 3), date(2027, 6, 18), date(2027, 12, 24)):
    print(f"{day:%A %d %B %Y}: {'open' if calendar.is_working_day(day) else 'closed'}")
END
)

expected=$(cat <<'END'
Friday 03 July 2026: closed
Friday 18 June 2027: closed
Friday 24 December 2027: closed
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
