#!/usr/bin/env bash
# python3-aniso8601 9.0.1-2 (Debian): the end of a day is read as its beginning.
# Guess: 24:00 is the end of the day that stands before it, so 2026-12-01T24:00 is 2026-12-02T00:00 (ISO
# 8601:2004, section 4.2.3), or an error.
# So: it is 2026-12-01T00:00. Office hours until midnight end before they begin, and what is due by the end of
# a day is due a day early.
#
# Output seen on 2026-11-30:
#   2026-12-01T24:00:00: 2026-12-01 00:00:00
#   20:00 to 24:00: -1 day, 4:00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-aniso8601=9.0.1-2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from aniso8601 import parse_datetime, parse_interval
print(f"2026-12-01T24:00:00: {parse_datetime('2026-12-01T24:00:00')}")
start, end = parse_interval("2026-12-01T20:00:00/2026-12-01T24:00:00")
print(f"20:00 to 24:00: {end - start}")
END
)

expected=$(cat <<'END'
2026-12-01T24:00:00: 2026-12-01 00:00:00
20:00 to 24:00: -1 day, 4:00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
