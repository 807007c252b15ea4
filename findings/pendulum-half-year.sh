#!/usr/bin/env bash
# python3-pendulum 2.1.2-4 (Debian): half a year is no time at all.
# Guess: a `Duration` can be divided. Half of a year is six months or 182 and a half days, or it is an error.
# So: years and months are each divided and rounded to a whole number, a half to the even one. Half of a year
# is nothing, and half of three years is two. A premium that is due each quarter of a year is due at once. The
# documentation of `Duration` says nothing of division. Issue 799, which is open, has other sums with months.
#
# Output seen on 2026-12-01:
#   {'weeks': 1} / 2: 3 days 12 hours, 2026-12-04 12:00:00
#   {'days': 1} / 4: 6 hours, 2026-12-01 06:00:00
#   {'years': 1} / 2: 0 microseconds, 2026-12-01 00:00:00
#   {'years': 1} / 4: 0 microseconds, 2026-12-01 00:00:00
#   {'years': 3} / 2: 2 years, 2028-12-01 00:00:00
#   {'months': 1} / 2: 0 microseconds, 2026-12-01 00:00:00
#   {'years': 1, 'months': 2} / 2: 1 month, 2027-01-01 00:00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-pendulum=2.1.2-4 python3-pytzdata python3-dateutil python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import pendulum
start = pendulum.datetime(2026, 12, 1)
for whole, parts in (({"weeks": 1}, 2), ({"days": 1}, 4), ({"years": 1}, 2), ({"years": 1}, 4), ({"years": 3}, 2),
                     ({"months": 1}, 2), ({"years": 1, "months": 2}, 2)):
    part = pendulum.duration(**whole) / parts
    print(f"{whole} / {parts}: {part.in_words()}, {(start + part).to_datetime_string()}")
END
)

expected=$(cat <<'END'
{'weeks': 1} / 2: 3 days 12 hours, 2026-12-04 12:00:00
{'days': 1} / 4: 6 hours, 2026-12-01 06:00:00
{'years': 1} / 2: 0 microseconds, 2026-12-01 00:00:00
{'years': 1} / 4: 0 microseconds, 2026-12-01 00:00:00
{'years': 3} / 2: 2 years, 2028-12-01 00:00:00
{'months': 1} / 2: 0 microseconds, 2026-12-01 00:00:00
{'years': 1, 'months': 2} / 2: 1 month, 2027-01-01 00:00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
