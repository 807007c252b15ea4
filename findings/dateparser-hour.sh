#!/usr/bin/env bash
# python3-dateparser 1.1.6-1 (Debian): an hour without minutes is left out, or is read as a month.
# Guess: `tomorrow at 10` is ten o'clock, as `tomorrow at 10:00` is, or there is no answer. The documentation
# has `PREFER_DATES_FROM` for dates that are yet to come.
# So: after `tomorrow` the time is that of now, as issue 1080 says, which is open. After a weekday the number
# becomes a month, and the weekday is dropped.
#
# Output seen on 2026-11-30:
#   tomorrow at 10:00 is 2026-12-01 10:00:00
#   tomorrow at 10 is 2026-12-01 09:20:00
#   Friday at 10:00 is 2026-12-04 10:00:00
#   Friday at 10 is 2027-10-30 00:00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-dateparser=1.1.6-1 python3-dateutil=2.8.2-2 python3-regex=0.1.20221031-1+b1 \
  python3-tz=2022.7.1-4 python3-tzlocal=4.2-1 \
  python3-pytz-deprecation-shim=0.1.0.post0-3 python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
import dateparser
settings = {"RELATIVE_BASE": datetime.datetime(2026, 11, 30, 9, 20), "PREFER_DATES_FROM": "future"}
for text in ("tomorrow at 10:00", "tomorrow at 10", "Friday at 10:00", "Friday at 10"):
    print(text, "is", dateparser.parse(text, languages=["en"], settings=settings))
END
)

expected=$(cat <<'END'
tomorrow at 10:00 is 2026-12-01 10:00:00
tomorrow at 10 is 2026-12-01 09:20:00
Friday at 10:00 is 2026-12-04 10:00:00
Friday at 10 is 2027-10-30 00:00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
