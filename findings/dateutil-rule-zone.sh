#!/usr/bin/env bash
# python3-dateutil 2.8.2-2 (Debian): a rule that is written as text loses its zone.
# Guess: `str(rule)` generates the rule when it is given to `rrulestr`, as the docstring of `rrule.__str__`
# says.
# So: the Z of DTSTART and of UNTIL is left out, and a TZID too. What is stored and read again is a clock
# time: a weekly consult at 15:00 UTC is at three in the afternoon wherever it is read, five hours late in New
# York. None of its dates is equal to the former one, and to ask whether one is before a time that has a zone
# is an error.
#
# Output seen on 2026-11-30:
#   DTSTART:20261201T150000Z RRULE:FREQ=WEEKLY;UNTIL=20261222T150000Z
#     is written DTSTART:20261201T150000 RRULE:FREQ=WEEKLY;UNTIL=20261222T150000
#     first 2026-12-01 15:00:00+00:00, read again 2026-12-01 15:00:00: equal False
#   DTSTART;TZID=America/New_York:20261201T100000 RRULE:FREQ=WEEKLY;COUNT=4
#     is written DTSTART:20261201T100000 RRULE:FREQ=WEEKLY;COUNT=4
#     first 2026-12-01 10:00:00-05:00, read again 2026-12-01 10:00:00: equal False
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-dateutil=2.8.2-2 python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from dateutil.rrule import rrulestr
for text in [
    "DTSTART:20261201T150000Z\nRRULE:FREQ=WEEKLY;UNTIL=20261222T150000Z",
    "DTSTART;TZID=America/New_York:20261201T100000\nRRULE:FREQ=WEEKLY;COUNT=4",
]:
    rule = rrulestr(text)
    again = rrulestr(str(rule))
    print(text.replace("\n", " "))
    print("  is written", str(rule).replace("\n", " "))
    print(f"  first {rule[0]}, read again {again[0]}: equal {rule[0] == again[0]}")
END
)

expected=$(cat <<'END'
DTSTART:20261201T150000Z RRULE:FREQ=WEEKLY;UNTIL=20261222T150000Z
  is written DTSTART:20261201T150000 RRULE:FREQ=WEEKLY;UNTIL=20261222T150000
  first 2026-12-01 15:00:00+00:00, read again 2026-12-01 15:00:00: equal False
DTSTART;TZID=America/New_York:20261201T100000 RRULE:FREQ=WEEKLY;COUNT=4
  is written DTSTART:20261201T100000 RRULE:FREQ=WEEKLY;COUNT=4
  first 2026-12-01 10:00:00-05:00, read again 2026-12-01 10:00:00: equal False
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
