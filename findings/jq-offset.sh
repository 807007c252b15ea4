#!/usr/bin/env bash
# jq 1.6-2.1+deb12u3 (Debian): 10:00-0500 is read as 10:00 UTC.
# Guess: `strptime("%Y-%m-%dT%H:%M:%S%z") | mktime` gives the instant that the text names. `%z` is matched, so
# the offset counts.
# So: the offset is read and passed over, and `mktime` takes what is left as UTC: ten o'clock in New York
# becomes five in the morning there, and two texts of one instant are sorted as five hours apart. The newer
# build in the npm package jq-wasm 1.0.1 does the same. The manual says that jq's functions for dates deal
# with UTC alone, and sends the reader to the C library for the formats. That reads `%z` as an offset.
#
# Output seen on 2026-11-30:
#   2026-12-01T10:00:00-0500 is 2026-12-01T10:00:00Z
#   2026-12-01T15:00:00+0000 is 2026-12-01T15:00:00Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq jq=1.6-2.1+deb12u3 libjq1=1.6-2.1+deb12u3 libonig5=6.9.8-1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(for time in 2026-12-01T10:00:00-0500 2026-12-01T15:00:00+0000; do
  TZ=UTC usr/bin/jq -nr --arg time "$time" \
    '"\($time) is \($time | strptime("%Y-%m-%dT%H:%M:%S%z") | mktime | todate)"'
done)

expected=$(cat <<'END'
2026-12-01T10:00:00-0500 is 2026-12-01T10:00:00Z
2026-12-01T15:00:00+0000 is 2026-12-01T15:00:00Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
