#!/usr/bin/env bash
# python3-babel 2.10.3-1 (Debian): the last days of the year are in another week than the first ones.
# Guess: Thursday 31 December 2026 and Friday 1 January 2027 have the same number. It is 53 by ISO 8601, which
# the documentation names for `w`, and 1 by UTS 35 (Dates, `w` and Week Data), since in the US the week that
# has 1 January is the first: it begins on Sunday, and the minimum of days is 1.
# So: it is neither. Sunday to Thursday are in week 53, and Friday and Saturday are in week 1. The hours of
# that week stand in two lines of the report of a practice. Babel 2.17.0 has mended it.
#
# Output seen on 2026-11-30:
#   first day 6, at least 1 day
#   Sat 2026-12-26: week 52
#   Sun 2026-12-27: week 53
#   Thu 2026-12-31: week 53
#   Fri 2027-01-01: week 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-babel=2.10.3-1 python-babel-localedata=2.10.3-1 python3-tz=2022.7.1-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
from babel.core import Locale
from babel.dates import format_date
us = Locale("en", "US")
print(f"first day {us.first_week_day}, at least {us.min_week_days} day")
for year, month, date in ((2026, 12, 26), (2026, 12, 27), (2026, 12, 31), (2027, 1, 1)):
    day = datetime.date(year, month, date)
    print(format_date(day, "EEE yyyy-MM-dd: 'week' w", locale=us))
END
)

expected=$(cat <<'END'
first day 6, at least 1 day
Sat 2026-12-26: week 52
Sun 2026-12-27: week 53
Thu 2026-12-31: week 53
Fri 2027-01-01: week 1
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
