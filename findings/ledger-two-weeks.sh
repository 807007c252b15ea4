#!/usr/bin/env bash
# ledger 3.3.0-3 (Debian): what is due every two weeks from 4 December is due again on the 6th.
# Guess: `~ every 2 weeks from 2026-12-04` is due on 4 December, 18 December and 1 January, as `every 14 days`
# is. In the manual, a period expression is an interval, followed by its begin.
# So: only the first date is that of `from`. All others are Sundays, the first of them two days later: within
# three weeks, a retainer is budgeted three times, and not twice. It is known: pull request 3077 of ledger,
# which is merged, changes it.
#
# Output seen on 2026-12-01:
#   every 2 weeks from 2026-12-04:
#     Fri 2026-12-04  $-100
#     Sun 2026-12-06  $-100
#     Sun 2026-12-20  $-100
#     Sun 2027-01-03  $-100
#   every 14 days from 2026-12-04:
#     Fri 2026-12-04  $-100
#     Fri 2026-12-18  $-100
#     Fri 2027-01-01  $-100
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ledger=3.3.0-3 libboost-python1.74.0 libpython3.11 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH="$folder/usr/lib/ledger:$(echo "$folder"/usr/lib/*-linux-gnu)"

seen=$(for every in "2 weeks" "14 days"; do
  cat >journal <<END
~ every $every from 2026-12-04
    Expenses:Retainer  \$100
    Assets:Bank

2026-12-01 Opening
    Expenses:Retainer  \$0
    Assets:Bank
END
  echo "every $every from 2026-12-04:"
  usr/bin/ledger --args-only --file journal --now 2026-12-01 --budget --end 2027-01-08 register Retainer \
    --format "  %(format_date(date, '%a %Y-%m-%d'))  %(amount)\n"
done)

expected=$(cat <<'END'
every 2 weeks from 2026-12-04:
  Fri 2026-12-04  $-100
  Sun 2026-12-06  $-100
  Sun 2026-12-20  $-100
  Sun 2027-01-03  $-100
every 14 days from 2026-12-04:
  Fri 2026-12-04  $-100
  Fri 2026-12-18  $-100
  Fri 2027-01-01  $-100
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
