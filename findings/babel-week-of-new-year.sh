#!/usr/bin/env bash
# python3-babel 2.10.3-1 (Debian): the last days of the year are in another week than the first ones.
# Guess: all days of a week have the same number and the same week-of-year year. The week of 27 December 2026 to 2
# January 2027 is the first of 2027, since in the US the week that has 1 January is the first (UTS 35, Dates, `Y`, `w`
# and Week Data: the first day is Sunday, the minimum of days is 1).
# So: Sunday to Thursday are week 53 of 2026. The hours of that week stand in two lines of the report of a practice.
#
# Output seen on 2026-11-30:
#   first day 6, at least 1 day
#   Sat 2026-12-26: week 52 of 2026
#   Sun 2026-12-27: week 53 of 2026
#   Thu 2026-12-31: week 53 of 2026
#   Fri 2027-01-01: week 1 of 2027
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
for day in (datetime.date(2026, 12, 26), datetime.date(2026, 12, 27), datetime.date(2026, 12, 31), datetime.date(2027, 1, 1)):
    print(format_date(day, "EEE yyyy-MM-dd: 'week' w 'of' Y", locale=us))
END
)

expected=$(cat <<'END'
first day 6, at least 1 day
Sat 2026-12-26: week 52 of 2026
Sun 2026-12-27: week 53 of 2026
Thu 2026-12-31: week 53 of 2026
Fri 2027-01-01: week 1 of 2027
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
