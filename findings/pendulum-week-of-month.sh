#!/usr/bin/env bash
# python3-pendulum 2.1.2-4 (Debian): 4 January 2027 is in week -51 of its month.
# Guess: `week_of_month` is 1 to 6. The documentation shows it among the fields of a date, and says no more.
# So: the weeks of the year are subtracted from each other. Where 1 January is in the last week of the year
# before, all other weeks of January are below zero, and the end of December is, too, where it is in the first
# week of the next year. What is due in the second week of each month is not due in January. Issue 587 was
# mended in pendulum 3.
#
# Output seen on 2026-12-01:
#   2026-12-01: 1
#   2026-12-14: 3
#   2027-01-01: 1
#   2027-01-04: -51
#   2027-01-11: -50
#   2027-02-08: 2
#   2029-12-31: -46
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-pendulum=2.1.2-4 python3-pytzdata python3-dateutil python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import pendulum
for date in ("2026-12-01", "2026-12-14", "2027-01-01", "2027-01-04", "2027-01-11", "2027-02-08", "2029-12-31"):
    print(f"{date}: {pendulum.parse(date).week_of_month}")
END
)

expected=$(cat <<'END'
2026-12-01: 1
2026-12-14: 3
2027-01-01: 1
2027-01-04: -51
2027-01-11: -50
2027-02-08: 2
2029-12-31: -46
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
