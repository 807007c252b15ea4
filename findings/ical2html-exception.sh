#!/usr/bin/env bash
# ical2html 3.0-1 (Debian): a date that was cancelled is shown.
# Guess: EXDATE takes a date out of a rule, RDATE adds one, and an event with RECURRENCE-ID stands for the one
# that it moves (RFC 5545, sections 3.8.5.1, 3.8.5.2 and 3.8.4.4).
# So: of a repeated event, nothing but the rule is read. A consult that was cancelled is on the page, one that
# was moved is there twice, and one that was added is not there.
#
# Output seen on 2026-11-30:
#   title="20261201T150000Z"
#   title="20261208T150000Z"
#   title="20261215T150000Z"
#   title="20261216T190000Z"
#   title="20261222T150000Z"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ical2html=3.0-1 libical3 libicu72 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(usr/bin/ical2html 20261201 P5W <<'END' | grep -oE 'dtstart"|title="[0-9TZ]+"' | grep -A1 dtstart | grep title
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20261101T000000Z
DTSTART:20261201T150000Z
DURATION:PT30M
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE:20261208T150000Z
RDATE:20261210T150000Z
END:VEVENT
BEGIN:VEVENT
UID:1
DTSTAMP:20261101T000000Z
RECURRENCE-ID:20261215T150000Z
DTSTART:20261216T190000Z
DURATION:PT30M
END:VEVENT
END:VCALENDAR
END
)

expected=$(cat <<'END'
title="20261201T150000Z"
title="20261208T150000Z"
title="20261215T150000Z"
title="20261216T190000Z"
title="20261222T150000Z"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
