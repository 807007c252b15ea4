#!/usr/bin/env bash
# python3-babel 2.10.3-1 (Debian): a quarter past midnight is read as a quarter past noon.
# Guess: `parse_time` reads what `format_time` writes, or gives an error. In American English 12:15 AM is
# 00:15, and 12:15 PM is 12:15.
# So: of twelve in the morning the hour stays 12, and of twelve at noon it becomes 24, which is an error. A
# form for consults takes each hour but the one at noon.
#
# Output seen on 2026-11-30:
#   00:15 is written 12:15 AM and read 12:15:00
#   01:15 is written 1:15 AM and read 01:15:00
#   12:15 is written 12:15 PM and read hour must be in 0..23
#   13:15 is written 1:15 PM and read 13:15:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-babel=2.10.3-1 python-babel-localedata=2.10.3-1 python3-tz=2022.7.1-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
from babel.dates import format_time, parse_time
def read(text):
    try:
        return parse_time(text, locale="en_US")
    except ValueError as error:
        return error
for hour in (0, 1, 12, 13):
    text = format_time(datetime.time(hour, 15), "short", locale="en_US")
    print(f"{hour:02}:15 is written {text} and read {read(text)}")
END
)

expected=$(cat <<'END'
00:15 is written 12:15 AM and read 12:15:00
01:15 is written 1:15 AM and read 01:15:00
12:15 is written 12:15 PM and read hour must be in 0..23
13:15 is written 1:15 PM and read 13:15:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
