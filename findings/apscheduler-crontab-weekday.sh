#!/usr/bin/env bash
# python3-apscheduler 3.9.1-2 (Debian): `0 10 * * 1-5` runs from Tuesday to Saturday.
# Guess: `CronTrigger.from_crontab` reads a standard crontab expression, as its docstring says with a link to
# the article on cron: 0 and 7 are Sunday, and 1-5 are the working days.
# So: the number of a weekday is taken as one of the arguments of CronTrigger, where 0 is Monday, as the
# docstring of the class says of those. The reminders of Monday are missing, and clients hear of the practice
# on Saturday. Sunday as 7 is an error. The names `mon-fri` are right. It is known (issue 286), and stays so
# in version 3.
#
# Output seen on 2026-11-30:
#   0 10 * * 1-5: Tue Wed Thu Fri Sat
#   0 10 * * mon-fri: Mon Tue Wed Thu Fri
#   0 10 * * 1: Tue
#   0 10 * * 0: Mon
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-apscheduler=3.9.1-2 python3-tz=2022.7.1-4 python3-six=1.16.0-4 python3-tzlocal=4.2-1 \
  python3-pkg-resources=66.1.1-1+deb12u2 python3-pytz-deprecation-shim=0.1.0.post0-3 \
  python3-dateutil=2.8.2-2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
from apscheduler.triggers.cron import CronTrigger
zone = datetime.timezone.utc
def days(expression):
    trigger = CronTrigger.from_crontab(expression, timezone="UTC")
    now = datetime.datetime(2026, 11, 30, tzinfo=zone)
    found = []
    while (due := trigger.get_next_fire_time(None, now)) < datetime.datetime(2026, 12, 7, tzinfo=zone):
        found.append(f"{due:%a}")
        now = due + datetime.timedelta(minutes=1)
    return " ".join(found)
for expression in ["0 10 * * 1-5", "0 10 * * mon-fri", "0 10 * * 1", "0 10 * * 0"]:
    print(f"{expression}: {days(expression)}")
END
)

expected=$(cat <<'END'
0 10 * * 1-5: Tue Wed Thu Fri Sat
0 10 * * mon-fri: Mon Tue Wed Thu Fri
0 10 * * 1: Tue
0 10 * * 0: Mon
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
