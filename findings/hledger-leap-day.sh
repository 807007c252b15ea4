#!/usr/bin/env bash
# hledger 1.25-2+b5 (Debian): 29 February is 1 March, in a leap year, too.
# Guess: `every feb 29th` is due on 29 February where the year has it. In the other years it is due on the
# 28th, on 1 March or not at all, and in each forecast on the same day.
# So: the first day of the forecast decides. From 1 January 2028, it is 1 March in each year, also in 2028 and
# 2032, which have the day. From 29 February 2028 or from 2029, it is the last day of February. `every 2/29`
# means the same. The manual says nothing of it.
#
# Output seen on 2026-12-01:
#   feb 28th from 2028-01-01: 2028-02-28 2029-02-28 2030-02-28 2031-02-28 2032-02-28
#   feb 29th from 2028-01-01: 2028-03-01 2029-03-01 2030-03-01 2031-03-01 2032-03-01
#   2/29 from 2028-01-01: 2028-03-01 2029-03-01 2030-03-01 2031-03-01 2032-03-01
#   feb 29th from 2028-02-29: 2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29
#   feb 29th from 2029-01-01: 2029-02-28 2030-02-28 2031-02-28 2032-02-29
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq hledger=1.25-2+b5 libgmp10 libtinfo6 libffi8 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(bash <<'END'
while IFS=, read -r every start; do
  printf '~ every %s\n  expenses:fee  1 USD\n  assets\n' "$every" >journal
  dates=$(usr/bin/hledger -f journal print --forecast=$start..2032-04-01 | grep -o '^2[-0-9]*')
  echo "$every from $start:" $dates
done <<<$'feb 28th,2028-01-01\nfeb 29th,2028-01-01\n2/29,2028-01-01\nfeb 29th,2028-02-29\nfeb 29th,2029-01-01'
END
)

expected=$(cat <<'END'
feb 28th from 2028-01-01: 2028-02-28 2029-02-28 2030-02-28 2031-02-28 2032-02-28
feb 29th from 2028-01-01: 2028-03-01 2029-03-01 2030-03-01 2031-03-01 2032-03-01
2/29 from 2028-01-01: 2028-03-01 2029-03-01 2030-03-01 2031-03-01 2032-03-01
feb 29th from 2028-02-29: 2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29
feb 29th from 2029-01-01: 2029-02-28 2030-02-28 2031-02-28 2032-02-29
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
