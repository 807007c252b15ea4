#!/usr/bin/env bash
# python3-dateparser 1.1.6-1 (Debian): Tuesday at 10 is a day in October.
# Guess: a number after `at` is an hour, or is refused.
# So: without a.m. or p.m. it is the month, and the weekday is dropped. The consult of tomorrow is put down for October
# of next year.
#
# Output seen on 2026-11-29:
#   Tuesday at 10 a.m.: 2026-12-01 10:00:00
#   Tuesday at 10: 2027-10-30 00:00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-dateparser=1.1.6-1 python3-dateutil=2.8.2-2 python3-regex=0.1.20221031-1+b1 \
  python3-six=1.16.0-4 python3-tz=2022.7.1-4 python3-tzlocal=4.2-1 \
  python3-pytz-deprecation-shim=0.1.0.post0-3 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from datetime import datetime
import dateparser
settings = {"RELATIVE_BASE": datetime(2026, 11, 30, 12), "PREFER_DATES_FROM": "future"}
for text in ("Tuesday at 10 a.m.", "Tuesday at 10"):
    print(f"{text}: {dateparser.parse(text, languages=['en'], settings=settings)}")
END
)

expected=$(cat <<'END'
Tuesday at 10 a.m.: 2026-12-01 10:00:00
Tuesday at 10: 2027-10-30 00:00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
