#!/usr/bin/env bash
# quantlib-python 1.29-1+b1 (Debian): from 28 February to 31 March, a month of 30 days has 31.
# Guess: `Thirty360(Thirty360.USA)` counts 30 days: its documentation has the last day of February become the
# 30th, and the 31st as an end become the 30th where the start is the 30th.
# So: the 31st is looked at before February is, so that it stays the 31st. A loan with interest from the end
# of February has a day too much in March, and half a year has 181 days. With a start on another day, it is
# right. Later versions of QuantLib have the other order, and say that it is important.
#
# Output seen on 2026-12-01:
#   2026-01-31 to 2026-03-31: 60
#   2026-02-28 to 2026-03-30: 30
#   2026-02-28 to 2026-03-31: 31
#   2026-02-28 to 2026-08-31: 181
#   2028-02-29 to 2028-08-31: 181
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq quantlib-python=1.29-1+b1 libquantlib0v5=1.29-1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH="$folder/usr/lib" PYTHONPATH="$folder/usr/lib/python3/dist-packages"

seen=$(TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from QuantLib import Date, Thirty360
days = Thirty360(Thirty360.USA)
for start, end in [("2026-01-31", "2026-03-31"), ("2026-02-28", "2026-03-30"), ("2026-02-28", "2026-03-31"),
                   ("2026-02-28", "2026-08-31"), ("2028-02-29", "2028-08-31")]:
    print(f"{start} to {end}: {days.dayCount(Date(start, '%Y-%m-%d'), Date(end, '%Y-%m-%d'))}")
END
)

expected=$(cat <<'END'
2026-01-31 to 2026-03-31: 60
2026-02-28 to 2026-03-30: 30
2026-02-28 to 2026-03-31: 31
2026-02-28 to 2026-08-31: 181
2028-02-29 to 2028-08-31: 181
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
