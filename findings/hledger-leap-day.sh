#!/usr/bin/env bash
# hledger 1.25-2+b5 (Debian): 29 February is 1 March, in a leap year, too.
# Guess: `every feb 29th` is due on 29 February where the year has it. In the other years it is due on the 28th, on 1
# March or not at all. `every 29th day of month` is right in each year.
# So: it is due on 1 March, also in 2028, which has the day. `every 2/29` and `every 29th feb`, which mean the same,
# do so as well. The manual says nothing of it.
#
# Output seen on 2026-12-01:
#   feb 28th: 2028-02-28 2029-02-28
#   feb 29th: 2028-03-01 2029-03-01
#   2/29: 2028-03-01 2029-03-01
#   29th feb: 2028-03-01 2029-03-01
#   29th day of month: 2028-02-29 2028-03-29 2029-02-28 2029-03-29
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq hledger=1.25-2+b5 libgmp10 libtinfo6 libffi8 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(bash <<'END'
for every in "feb 28th" "feb 29th" "2/29" "29th feb" "29th day of month"; do
  printf '~ every %s\n  expenses:fee  1 USD\n  assets\n' "$every" >journal
  dates=$(usr/bin/hledger -f journal print --forecast=2028-01-01..2029-04-01 | grep -oE '^2[0-9]{3}-0[23]-[0-9]*')
  echo "$every:" $dates
done
END
)

expected=$(cat <<'END'
feb 28th: 2028-02-28 2029-02-28
feb 29th: 2028-03-01 2029-03-01
2/29: 2028-03-01 2029-03-01
29th feb: 2028-03-01 2029-03-01
29th day of month: 2028-02-29 2028-03-29 2029-02-28 2029-03-29
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
