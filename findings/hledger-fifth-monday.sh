#!/usr/bin/env bash
# hledger 1.25-2+b5 (Debian): a month without a fifth Monday has one, in the next month.
# Guess: `every 5th Monday of month` is due in the months that have one, or the number is an error. The manual
# lists the form as `every Nth WEEKDAYNAME [of month]`, and says nothing of the months without.
# So: where a month has four, it is the first Monday of the month after. A fee that is due four times in 2027,
# in March, May, August and November, is due eleven times. It is a question of the first day of the forecast,
# too: from 1 May on, 31 May is missing, which is a fifth Monday.
#
# Output seen on 2026-12-01:
#   4th monday from 01-01: 01-25 02-22 03-22 04-26 05-24 06-28 07-26 08-23 09-27 10-25 11-22 12-27
#   5th monday from 01-01: 01-04 03-01 03-29 05-03 05-31 07-05 08-02 08-30 10-04 11-01 11-29
#   5th monday from 05-01: 05-03 07-05 08-02 08-30 10-04 11-01 11-29
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq hledger=1.25-2+b5 libgmp10 libtinfo6 libffi8 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(bash <<'END'
while read -r every start; do
  printf '~ every %s monday of month\n  expenses:fee  1 USD\n  assets\n' "$every" >journal
  dates=$(usr/bin/hledger -f journal print --forecast=2027-$start..2028-01-01 | grep -o '^2[-0-9]*' | cut -c 6-)
  echo "$every monday from $start:" $dates
done <<<$'4th 01-01\n5th 01-01\n5th 05-01'
END
)

expected=$(cat <<'END'
4th monday from 01-01: 01-25 02-22 03-22 04-26 05-24 06-28 07-26 08-23 09-27 10-25 11-22 12-27
5th monday from 01-01: 01-04 03-01 03-29 05-03 05-31 07-05 08-02 08-30 10-04 11-01 11-29
5th monday from 05-01: 05-03 07-05 08-02 08-30 10-04 11-01 11-29
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
