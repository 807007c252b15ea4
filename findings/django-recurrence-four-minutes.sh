#!/usr/bin/env bash
# python3-django-recurrence 1.11.1-1 (Debian): a consult at ten in New York is written as one four minutes
# early.
# Guess: `deserialize` reads a time without Z in the zone of the settings, as its docstring says: ten is 15:00
# UTC in December and 14:00 UTC in July. What `serialize` writes is the same instant.
# So: the zone of pytz is set as `tzinfo`, which is the mean time of the place before there were zones. New
# York is 4 hours and 56 minutes behind UTC then, in summer and in winter, and the saved rule is at 14:56 UTC.
# With a zone of the standard library it is right. Debian has Django 3.2, of which the zones are those of
# pytz.
#
# Output seen on 2026-12-01:
#   20261201T100000 in America/New_York: read as 10:00-04:56, written as 20261201T145600Z
#   20260701T100000 in America/New_York: read as 10:00-04:56, written as 20260701T145600Z
#   20261201T100000 in America/Chicago: read as 10:00-05:51, written as 20261201T155100Z
#   20261201T150000Z in America/New_York: read as 15:00+00:00, written as 20261201T150000Z
#   20261201T100000 in zoneinfo America/New_York: read as 10:00-05:00, written as 20261201T150000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-django-recurrence=1.11.1-1 python3-django python3-asgiref python3-sqlparse \
  python3-dateutil python3-tz python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from zoneinfo import ZoneInfo
from django.conf import settings
settings.configure(USE_TZ=True, TIME_ZONE="UTC")
import django
django.setup()
from django.utils import timezone
import recurrence
for text, name, zone in (("20261201T100000", "America/New_York", "America/New_York"),
                         ("20260701T100000", "America/New_York", "America/New_York"),
                         ("20261201T100000", "America/Chicago", "America/Chicago"),
                         ("20261201T150000Z", "America/New_York", "America/New_York"),
                         ("20261201T100000", "zoneinfo America/New_York", ZoneInfo("America/New_York"))):
    with timezone.override(zone):
        rule = recurrence.deserialize(f"DTSTART:{text}\nRRULE:FREQ=WEEKLY;COUNT=3")
        read, written = str(rule.dtstart), recurrence.serialize(rule)
        print(f"{text} in {name}: read as {read[11:16]}{read[19:]}, written as {written[8:24]}")
END
)

expected=$(cat <<'END'
20261201T100000 in America/New_York: read as 10:00-04:56, written as 20261201T145600Z
20260701T100000 in America/New_York: read as 10:00-04:56, written as 20260701T145600Z
20261201T100000 in America/Chicago: read as 10:00-05:51, written as 20261201T155100Z
20261201T150000Z in America/New_York: read as 15:00+00:00, written as 20261201T150000Z
20261201T100000 in zoneinfo America/New_York: read as 10:00-05:00, written as 20261201T150000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
