#!/usr/bin/env bash
# python3-workalendar 17.0.0-1 (Debian): the Federal Reserve is closed on Fridays on which it is open.
# Guess: of a holiday on a Saturday, `FederalReserveSystem` does not take the Friday before. The Federal Reserve Banks
# are open then, as their schedule of holidays says; a holiday on a Sunday is kept on Monday.
# So: that Friday is a holiday, as it is for federal employees. A transfer by ACH that settles on 24 or 31 December
# 2027 is announced for the next week.
#
# Output seen on 2026-11-30:
#   Friday 2027-06-18: open False, settles on 2027-06-21
#   Friday 2027-12-24: open False, settles on 2027-12-27
#   Friday 2027-12-31: open False, settles on 2028-01-03
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-workalendar=17.0.0-1 python3-convertdate=2.4.0-1 python3-dateutil=2.8.2-2 \
  python3-importlib-metadata=4.12.0-1 python3-lunardate=0.2.0-4 python3-more-itertools=8.10.0-2 \
  python3-pyluach=1.4.1-1 python3-pymeeus=0.5.11+dfsg1-1 python3-six=1.16.0-4 python3-tz=2022.7.1-4 \
  python3-zipp=1.0.0-6+deb12u1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
from workalendar.usa import FederalReserveSystem
calendar = FederalReserveSystem()
for day in ("2027-06-18", "2027-12-24", "2027-12-31"):
    date = datetime.date.fromisoformat(day)
    settled = calendar.add_working_days(date - datetime.timedelta(days=1), 1)
    print(f"{date:%A} {day}: open {calendar.is_working_day(date)}, settles on {settled}")
END
)

expected=$(cat <<'END'
Friday 2027-06-18: open False, settles on 2027-06-21
Friday 2027-12-24: open False, settles on 2027-12-27
Friday 2027-12-31: open False, settles on 2028-01-03
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
