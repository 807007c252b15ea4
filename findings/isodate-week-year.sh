#!/usr/bin/env bash
# python3-isodate 0.6.1-1 (Debian): New Year's Day in week 53 of 2026 is written as week 53 of 2027.
# Guess: `date_isoformat(day, DATE_EXT_WEEK_COMPLETE)` writes a week date of ISO 8601, which `parse_date`
# reads as the same day. The year of such a date is that of its week, so that 1 January 2027 is 2026-W53-5.
# So: the year is that of the calendar. What is read again is a year late: an appointment on 1 January 2027
# comes in 2028, and the last days of a December that belong to week 1 come a year early. Other days are
# right.
#
# Output seen on 2026-11-30:
#   2026-12-31, 2026-W53-4, is written 2026-W53-4 and read as 2026-12-31
#   2027-01-01, 2026-W53-5, is written 2027-W53-5 and read as 2028-01-07
#   2027-01-04, 2027-W01-1, is written 2027-W01-1 and read as 2027-01-04
#   2029-12-31, 2030-W01-1, is written 2029-W01-1 and read as 2029-01-01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-isodate=0.6.1-1 python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import datetime
import isodate
for day in ["2026-12-31", "2027-01-01", "2027-01-04", "2029-12-31"]:
    date = datetime.date.fromisoformat(day)
    text = isodate.date_isoformat(date, isodate.DATE_EXT_WEEK_COMPLETE)
    right = "%d-W%02d-%d" % date.isocalendar()
    print(f"{day}, {right}, is written {text} and read as {isodate.parse_date(text)}")
END
)

expected=$(cat <<'END'
2026-12-31, 2026-W53-4, is written 2026-W53-4 and read as 2026-12-31
2027-01-01, 2026-W53-5, is written 2027-W53-5 and read as 2028-01-07
2027-01-04, 2027-W01-1, is written 2027-W01-1 and read as 2027-01-04
2029-12-31, 2030-W01-1, is written 2029-W01-1 and read as 2029-01-01
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
