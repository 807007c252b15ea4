#!/usr/bin/env bash
# python3-pandas 1.5.3+dfsg-2 (Debian): one and a half hours are five hours and a second.
# Guess: `Timedelta` reads a duration of ISO 8601, as its documentation says. The last component may have a
# fraction (ISO 8601:2004, section 4.4.3.2), as in PT1.5H, or such a duration is an error.
# So: what stands before the point is read as seconds, and what stands behind it has the unit. A consult of
# half an hour that is written PT0.5H takes five hours, and nothing is raised. A known bug: issue 51882, which
# is open.
#
# Output seen on 2026-12-01:
#   PT30M: 0 days 00:30:00
#   PT90M: 0 days 01:30:00
#   PT0.5H: 0 days 05:00:00
#   PT1.5H: 0 days 05:00:01
#   PT2.25H: 1 days 01:00:02
#   P0.5D: 5 days 00:00:00
#   PT1.5S: 0 days 00:00:01.500000
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
from pandas import Timedelta
for text in ("PT30M", "PT90M", "PT0.5H", "PT1.5H", "PT2.25H", "P0.5D", "PT1.5S"):
    print(f"{text}: {Timedelta(text)}")
END
)

expected=$(cat <<'END'
PT30M: 0 days 00:30:00
PT90M: 0 days 01:30:00
PT0.5H: 0 days 05:00:00
PT1.5H: 0 days 05:00:01
PT2.25H: 1 days 01:00:02
P0.5D: 5 days 00:00:00
PT1.5S: 0 days 00:00:01.500000
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
