#!/usr/bin/env bash
# csvkit 1.0.7-1 (Debian): consults at 10:30 are written as ten and a half minutes.
# Guess: `csvjson` writes 10:30 as 10:30. Its documentation says that the inference of types can be
# error-prone, and names numbers, telephone numbers and None. Times of day are not among them.
# So: a column of times of day is taken for lengths of time, in minutes and seconds: 10:30 becomes 0:10:30.
# `csvsort`, `csvjoin` and `csvlook` do so, too, also where another column was asked for. A calendar program,
# or an agent, reads ten past midnight. With AM or PM, or a single cell that does not look so, the column is
# kept; `--no-inference` keeps all. It is known: issue 387 of agate, which csvkit reads with, is closed as one
# that cannot be solved.
#
# Output seen on 2026-12-01:
#   [{"client": "Doe", "time": "0:10:30"}, {"client": "Poe", "time": "0:09:15"}]
#   [{"client": "Doe", "time": "10:30 AM"}, {"client": "Poe", "time": "9:15 AM"}]
#   [{"client": "Doe", "time": "10:30"}, {"client": "Poe", "time": "9:15"}]
#   client,time
#   Doe,0:10:30
#   Poe,0:09:15
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
tools="csvkit=1.0.7-1 python3-csvkit=1.0.7-1 python3-agate=1.6.3-2 python3-pytimeparse=1.1.5-3"
others="python3-agatedbf python3-agateexcel python3-agatesql python3-sqlalchemy python3-babel python-babel-localedata
  python3-isodate
  python3-leather python3-parsedatetime python3-slugify python3-unidecode python3-text-unidecode python3-six
  python3-dbfread python3-openpyxl python3-et-xmlfile python3-xlrd python3-olefile python3-tz python3-greenlet"
apt-get download -qq $tools $others 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PYTHONPATH="$folder/usr/lib/python3/dist-packages"

seen=$(
  csvjson() { /usr/bin/python3 -W ignore usr/bin/csvjson "$@"; echo; }
  printf 'client,time\nDoe,10:30\nPoe,9:15\n' | csvjson
  printf 'client,time\nDoe,10:30 AM\nPoe,9:15 AM\n' | csvjson
  printf 'client,time\nDoe,10:30\nPoe,9:15\n' | csvjson --no-inference
  printf 'client,time\nPoe,9:15\nDoe,10:30\n' | /usr/bin/python3 -W ignore usr/bin/csvsort --columns client
)

expected=$(cat <<'END'
[{"client": "Doe", "time": "0:10:30"}, {"client": "Poe", "time": "0:09:15"}]
[{"client": "Doe", "time": "10:30 AM"}, {"client": "Poe", "time": "9:15 AM"}]
[{"client": "Doe", "time": "10:30"}, {"client": "Poe", "time": "9:15"}]
client,time
Doe,0:10:30
Poe,0:09:15
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
