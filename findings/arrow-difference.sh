#!/usr/bin/env bash
# python3-arrow 1.2.3-1 (Debian): the difference of two times is not the time between them.
# Guess: one instant less another is the time that passes, as `timestamp()` has it. Each `Arrow` is an
# instant, and 05:30 and 06:30 UTC are an hour apart in each zone.
# So: within a zone the clock times are subtracted. In New York that hour has no length, and a quarter of an
# hour over the change of the clocks is negative. A known bug: issue 1136, which is open.
#
# Output seen on 2026-11-30:
#   05:30Z to 06:30Z in UTC: 1:00:00, by timestamp 3600 s
#   05:30Z to 06:30Z in America/New_York: 0:00:00, by timestamp 3600 s
#   05:50Z to 06:05Z in UTC: 0:15:00, by timestamp 900 s
#   05:50Z to 06:05Z in America/New_York: -1 day, 23:15:00, by timestamp 900 s
#   04:00Z to 15:00Z in UTC: 11:00:00, by timestamp 39600 s
#   04:00Z to 15:00Z in America/New_York: 10:00:00, by timestamp 39600 s
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-arrow=1.2.3-1 python3-dateutil=2.8.2-2 python3-typing-extensions=4.4.0-1 \
  python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import arrow
for start, end in (("05:30", "06:30"), ("05:50", "06:05"), ("04:00", "15:00")):
    for zone in ("UTC", "America/New_York"):
        first, last = (arrow.get(f"2026-11-01T{time}:00Z").to(zone) for time in (start, end))
        seconds = last.timestamp() - first.timestamp()
        print(f"{start}Z to {end}Z in {zone}: {last - first}, by timestamp {seconds:.0f} s")
END
)

expected=$(cat <<'END'
05:30Z to 06:30Z in UTC: 1:00:00, by timestamp 3600 s
05:30Z to 06:30Z in America/New_York: 0:00:00, by timestamp 3600 s
05:50Z to 06:05Z in UTC: 0:15:00, by timestamp 900 s
05:50Z to 06:05Z in America/New_York: -1 day, 23:15:00, by timestamp 900 s
04:00Z to 15:00Z in UTC: 11:00:00, by timestamp 39600 s
04:00Z to 15:00Z in America/New_York: 10:00:00, by timestamp 39600 s
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
