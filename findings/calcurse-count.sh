#!/usr/bin/env bash
# calcurse 4.7.1-1 (Debian): a series of four with two cancelled dates goes on for two weeks more.
# Guess: COUNT numbers the dates of the rule (RFC 5545, section 3.3.10). EXDATE takes dates out of them
# (section 3.8.5.1). Of four weekly dates with two cancelled ones, two are left. The manual lists RRULE and
# EXDATE as handled.
# So: two dates are added at the end for the cancelled ones. The calendar then shows two consults that nobody
# agreed to.
#
# Output seen on 2026-11-29:
#   2026-12-02:
#   2026-12-23:
#   2026-12-30:
#   2027-01-06:
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq calcurse=4.7.1-1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(TERM=dumb TZ=America/New_York bash -s <<'END'
mkdir calendar
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//Example//EN BEGIN:VEVENT UID:1 DTSTAMP:20261101T000000Z \
  DTSTART:20261202T150000Z DTEND:20261202T153000Z 'RRULE:FREQ=WEEKLY;COUNT=4' EXDATE:20261209T150000Z,20261216T150000Z \
  SUMMARY:Consult END:VEVENT END:VCALENDAR >consult.ics
./usr/bin/calcurse -D calendar -C calendar -q -i consult.ics >/dev/null
./usr/bin/calcurse -D calendar -C calendar -Q --from 12/01/2026 --to 01/31/2027 --output-datefmt %Y-%m-%d |
  grep -E '^[0-9]'
END
)

expected=$(cat <<'END'
2026-12-02:
2026-12-23:
2026-12-30:
2027-01-06:
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
