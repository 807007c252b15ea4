#!/usr/bin/env bash
# python3-croniter 1.3.5-3 (Debian): a daily job in the hour that the clocks skip runs twice on that day and
# on the next.
# Guess: `30 2 * * *` in New York is once a day at 2:30. On the day on which there is no 2:30 it is left out,
# or is at 3:30. The start is a time with a zone, as the README asks.
# So: that day has a run at 1:30 EST, called 2:30 EDT, and one at 3:30. The day after has one at 1:30 and one
# at 2:30. Each reminder of such a job is sent twice on both days.
#
# Output seen on 2026-11-29:
#   2026-03-07T02:30:00-05:00 is 2026-03-07T07:30:00+00:00
#   2026-03-08T02:30:00-04:00 is 2026-03-08T06:30:00+00:00
#   2026-03-08T03:30:00-04:00 is 2026-03-08T07:30:00+00:00
#   2026-03-09T01:30:00-04:00 is 2026-03-09T05:30:00+00:00
#   2026-03-09T02:30:00-04:00 is 2026-03-09T06:30:00+00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-croniter=1.3.5-3 python3-dateutil=2.8.2-2 python3-tz=2022.7.1-4 \
  python3-natsort=8.0.2-2 python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
import pytz
from croniter import croniter
start = pytz.timezone("America/New_York").localize(datetime.datetime(2026, 3, 6, 12))
job = croniter("30 2 * * *", start)
for _ in range(5):
    time = job.get_next(datetime.datetime)
    print(time.isoformat(), "is", time.astimezone(pytz.utc).isoformat())
END
)

expected=$(cat <<'END'
2026-03-07T02:30:00-05:00 is 2026-03-07T07:30:00+00:00
2026-03-08T02:30:00-04:00 is 2026-03-08T06:30:00+00:00
2026-03-08T03:30:00-04:00 is 2026-03-08T07:30:00+00:00
2026-03-09T01:30:00-04:00 is 2026-03-09T05:30:00+00:00
2026-03-09T02:30:00-04:00 is 2026-03-09T06:30:00+00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
