#!/usr/bin/env bash
# ical2html 3.0-1 (Debian): the older version of an event wins.
# Guess: `icalmerge` keeps the most recent version of each event, as its manual says. That is the one with the
# higher SEQUENCE and, of equals, with the later DTSTAMP (RFC 5546, section 2.1.5).
# So: only LAST-MODIFIED is compared, which need not be there. Without it, the version of the file that comes
# first stays. A consult that was moved is back at its old time.
#
# Output seen on 2026-11-30:
#   old.ics new.ics: DTSTART:20261201T150000Z
#   new.ics old.ics: DTSTART:20261202T150000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ical2html=3.0-1 libical3 libicu72 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
version() {
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//example//EN BEGIN:VEVENT UID:1 "$@" DURATION:PT30M \
    END:VEVENT END:VCALENDAR
}
version DTSTAMP:20261101T000000Z SEQUENCE:0 DTSTART:20261201T150000Z >old.ics
version DTSTAMP:20261105T000000Z SEQUENCE:1 DTSTART:20261202T150000Z >new.ics

seen=$(bash <<'END'
for files in "old.ics new.ics" "new.ics old.ics"; do
  usr/bin/icalmerge $files merged.ics
  echo "$files: $(grep -o 'DTSTART[^[:space:]]*' merged.ics)"
  rm merged.ics
done
END
)

expected=$(cat <<'END'
old.ics new.ics: DTSTART:20261201T150000Z
new.ics old.ics: DTSTART:20261202T150000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
