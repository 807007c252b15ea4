#!/usr/bin/env bash
# python3-crontab 2.7.1-1 (Debian): of a job that runs 63 times, `frequency` finds one.
# Guess: `frequency(2026)` is the number of times that the job runs in that year, as its docstring says. With
# a day of the month and a weekday, either is enough (POSIX, crontab).
# So: only the days are counted that are both. For the first of each month and each Monday that is one day of
# 2026. The documentation compares jobs by this number, so that a frequent job counts as a rare one.
# python3-croniter, which the package itself uses for `schedule`, gives 63 times.
#
# Output seen on 2026-12-01:
#   0 10 1 * * - frequency: 12 - times: 12
#   0 10 * * 1 - frequency: 52 - times: 52
#   0 10 1 * 1 - frequency: 1 - times: 63
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-crontab=2.7.1-1 python3-croniter python3-dateutil python3-tz \
  python3-tzlocal python3-natsort python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from datetime import datetime
from crontab import CronTab
from croniter import croniter
for text in ("0 10 1 * *", "0 10 * * 1", "0 10 1 * 1"):
    job = CronTab(tab=text + " true\n")[0]
    times = croniter(text, datetime(2025, 12, 31, 23, 59))
    run = sum(1 for _ in range(400) if times.get_next(datetime).year == 2026)
    print(text, "- frequency:", job.frequency(2026), "- times:", run)
END
)

expected=$(cat <<'END'
0 10 1 * * - frequency: 12 - times: 12
0 10 * * 1 - frequency: 52 - times: 52
0 10 1 * 1 - frequency: 1 - times: 63
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
