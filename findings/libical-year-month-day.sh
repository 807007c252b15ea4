#!/usr/bin/env bash
# libical3 3.0.16-1+b1 (Debian): a yearly rule for the fifteenth is due in one month only.
# Guess: FREQ=YEARLY;BYMONTHDAY=15 is due on the 15th of each month. In a yearly rule BYMONTHDAY expands the
# set (RFC 5545, section 3.3.10, the table), and the start only gives what the rule does not. python3-dateutil
# has it so.
# So: the month of the start is taken, as if the rule had BYMONTH. Whoever pays each month sees one date a
# year in a calendar that is built on libical. With all twelve months in BYMONTH the dates are right.
#
# Output seen on 2026-12-01:
#   FREQ=YEARLY;BYMONTHDAY=15
#     libical: 2026-01-15 2027-01-15 2028-01-15 2029-01-15
#     dateutil: 2026-01-15 2026-02-15 2026-03-15 2026-04-15
#   FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYMONTHDAY=15
#     libical: 2026-01-15 2026-02-15 2026-03-15 2026-04-15
#     dateutil: 2026-01-15 2026-02-15 2026-03-15 2026-04-15
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libical3=3.0.16-1+b1 libicu72 python3-dateutil python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

export LD_LIBRARY_PATH="$(echo "$folder"/usr/lib/*-linux-gnu)"
seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import calendar, ctypes, glob
from datetime import datetime, timezone
from itertools import islice
from dateutil.rrule import rrulestr
libical = ctypes.CDLL(glob.glob("usr/lib/*/libical.so.3")[0])
expand = libical.icalrecur_expand_recurrence
expand.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.POINTER(ctypes.c_long)]
start = datetime(2026, 1, 15, 10)
months = "BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;"
for rule in ("FREQ=YEARLY;BYMONTHDAY=15", "FREQ=YEARLY;" + months + "BYMONTHDAY=15"):
    times = (ctypes.c_long * 4)()
    expand(rule.encode(), calendar.timegm(start.timetuple()), 4, times)
    print(rule)
    print("  libical:", *[datetime.fromtimestamp(time, timezone.utc).date() for time in times])
    print("  dateutil:", *[time.date() for time in islice(rrulestr(rule, dtstart=start), 4)])
END
)

expected=$(cat <<'END'
FREQ=YEARLY;BYMONTHDAY=15
  libical: 2026-01-15 2027-01-15 2028-01-15 2029-01-15
  dateutil: 2026-01-15 2026-02-15 2026-03-15 2026-04-15
FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYMONTHDAY=15
  libical: 2026-01-15 2026-02-15 2026-03-15 2026-04-15
  dateutil: 2026-01-15 2026-02-15 2026-03-15 2026-04-15
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
