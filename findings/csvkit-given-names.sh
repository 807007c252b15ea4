#!/usr/bin/env bash
# csvkit 1.0.7-1 (Debian): April, June and May become days of the year 1.
# Guess: `csvjson` takes what is written as a date for a date, and a name for a text. Of its option `--no-inference` the
# documentation says only that it turns off type inference.
# So: a column in which each name is that of a month, such as the given names of a family or of a short list, is taken
# for dates: April becomes 0001-04-01. `csvsort`, `csvjoin` and `csvlook` do so, too, also where another column was
# asked for. The names are lost without a word. One other name in the column keeps them all.
#
# Output seen on 2026-12-01:
#   [{"given": "0001-04-01", "last": "Doe"}, {"given": "0001-05-01", "last": "Doe"}]
#   [{"given": "April", "last": "Doe"}, {"given": "May", "last": "Doe"}, {"given": "Jordan", "last": "Doe"}]
#   given,last
#   0001-04-01,Doe
#   0001-06-01,Poe
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
tools="csvkit=1.0.7-1 python3-csvkit=1.0.7-1 python3-agate=1.6.3-2 python3-parsedatetime=2.6-3"
others="python3-agatedbf python3-agateexcel python3-agatesql python3-sqlalchemy python3-babel python-babel-localedata
  python3-isodate
  python3-leather python3-pytimeparse python3-slugify python3-unidecode python3-text-unidecode python3-six
  python3-dbfread python3-openpyxl python3-et-xmlfile python3-xlrd python3-olefile python3-tz python3-greenlet"
apt-get download -qq $tools $others 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PYTHONPATH="$folder/usr/lib/python3/dist-packages"

seen=$(
  csvjson() { /usr/bin/python3 -W ignore usr/bin/csvjson "$@"; echo; }
  printf 'given,last\nApril,Doe\nMay,Doe\n' | csvjson
  printf 'given,last\nApril,Doe\nMay,Doe\nJordan,Doe\n' | csvjson
  printf 'given,last\nJune,Poe\nApril,Doe\n' | /usr/bin/python3 -W ignore usr/bin/csvsort --columns last
)

expected=$(cat <<'END'
[{"given": "0001-04-01", "last": "Doe"}, {"given": "0001-05-01", "last": "Doe"}]
[{"given": "April", "last": "Doe"}, {"given": "May", "last": "Doe"}, {"given": "Jordan", "last": "Doe"}]
given,last
0001-04-01,Doe
0001-06-01,Poe
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
