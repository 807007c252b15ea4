#!/usr/bin/env bash
# php-horde-icalendar 2.1.8-7 (Debian): a file that is read and written has its exceptions in 1970.
# Guess: what is written is what was read. EXDATE has times, unless VALUE=DATE stands there (RFC 5545, section
# 3.8.5.1).
# So: of a time only the date is kept when it is read, and when it is written, each of year, month and day is
# a number of seconds since 1970. The consult of 8 December, which was cancelled, takes place again in each
# calendar that gets the file.
#
# Output seen on 2026-11-30:
#   DTSTART:20261201T150000Z
#   EXDATE:19700101T003346Z,19700101T000012Z,19700101T000008Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-horde-icalendar=2.1.8-7 php-horde-date=2.4.1-9 php-horde-util=2.5.12-2 \
  php-horde-exception=2.0.8-10 php-horde-translation=2.2.2-7 php-horde-nls=2.2.1-6 php-horde-support=2.2.2-2 \
  php-horde-mail=2.6.6-5 \
  php8.2-cli php8.2-common php8.2-mbstring libonig5 libargon2-1 libicu72 libsodium23 libxml2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(usr/bin/php8.2 -n -d error_reporting=0 -d date.timezone=UTC -d include_path=usr/share/php \
  -d extension_dir="$(echo "$folder"/usr/lib/php/2*)" -d extension=ctype -d extension=mbstring <<'END'
<?php
spl_autoload_register(fn($class) => require str_replace("_", "/", $class) . ".php");
$lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1",
    "DTSTAMP:20261101T000000Z", "DTSTART:20261201T150000Z", "RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE:20261208T150000Z",
    "END:VEVENT", "END:VCALENDAR", ""];
$calendar = new Horde_Icalendar();
$calendar->parsevCalendar(implode("\r\n", $lines));
preg_match_all("/^(?:DTSTART|EXDATE)(?:.|\r\n )*/m", $calendar->exportvCalendar(), $written);
echo implode("\n", array_map(fn($line) => trim(str_replace("\r\n ", "", $line)), $written[0])), "\n";
END
)

expected=$(cat <<'END'
DTSTART:20261201T150000Z
EXDATE:19700101T003346Z,19700101T000012Z,19700101T000008Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
