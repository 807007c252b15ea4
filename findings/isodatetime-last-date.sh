#!/usr/bin/env bash
# python3-isodatetime 3.0.0-1 (Debian): the last date of a monthly rule is not the one it was given.
# Guess: R3/P1M/2026-03-31 is three times, a month apart, of which the last is 31 March. The docstring of
# `TimeRecurrence` says of this form that it ends at that time, and that the start is calculated.
# So: it counts back month by month, where 31 March becomes 28 February, and then forward from there, so that
# the last one is 28 March. What is due for the last time at the end of the quarter is never due on that day.
#
# Output seen on 2026-12-01:
#   R3/P1M/2026-03-28T00Z: 2026-01-28, 2026-02-28, 2026-03-28
#   R3/P1M/2026-03-31T00Z: 2026-01-28, 2026-02-28, 2026-03-28
#   R4/P1M/2026-05-31T00Z: 2026-02-28, 2026-03-28, 2026-04-28, 2026-05-28
#   R3/2026-01-31T00Z/P1M: 2026-01-31, 2026-02-28, 2026-03-28
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-isodatetime=3.0.0-1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from metomi.isodatetime.parsers import TimeRecurrenceParser
for text in ("R3/P1M/2026-03-28T00Z", "R3/P1M/2026-03-31T00Z", "R4/P1M/2026-05-31T00Z", "R3/2026-01-31T00Z/P1M"):
    times = [str(time)[:10] for time in TimeRecurrenceParser().parse(text)]
    print(f"{text}: {', '.join(times)}")
END
)

expected=$(cat <<'END'
R3/P1M/2026-03-28T00Z: 2026-01-28, 2026-02-28, 2026-03-28
R3/P1M/2026-03-31T00Z: 2026-01-28, 2026-02-28, 2026-03-28
R4/P1M/2026-05-31T00Z: 2026-02-28, 2026-03-28, 2026-04-28, 2026-05-28
R3/2026-01-31T00Z/P1M: 2026-01-31, 2026-02-28, 2026-03-28
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
