#!/usr/bin/env bash
# python3-pandas 1.5.3+dfsg-2 (Debian): a duration of one month is one minute.
# Guess: a month has no fixed length, so that `Timedelta` refuses P1M, as it refuses P1Y. A month is not what
# it holds, but no other length is either.
# So: P1M is read as PT1M, for the T is not looked at, and nothing is raised. A notice of a month ends a
# minute later. Issue 51882 names it, which is open.
#
# Output seen on 2026-12-01:
#   PT1M: 0 days 00:01:00
#   P1M: 0 days 00:01:00
#   P3M: 0 days 00:03:00
#   P1Y: Invalid ISO 8601 Duration format - P1Y
#   1 December 2026 and P1M: 2026-12-01 00:01:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2 python3-numpy libblas3 \
  liblapack3 libgfortran5 python3-dateutil python3-tz python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
libraries=$(echo "$folder"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack"

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from pandas import Timedelta, Timestamp
for text in ("PT1M", "P1M", "P3M", "P1Y"):
    try:
        print(f"{text}: {Timedelta(text)}")
    except ValueError as error:
        print(f"{text}: {error}")
print("1 December 2026 and P1M:", Timestamp("2026-12-01") + Timedelta("P1M"))
END
)

expected=$(cat <<'END'
PT1M: 0 days 00:01:00
P1M: 0 days 00:01:00
P3M: 0 days 00:03:00
P1Y: Invalid ISO 8601 Duration format - P1Y
1 December 2026 and P1M: 2026-12-01 00:01:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
