#!/usr/bin/env bash
# php-eluceo-ical 0.16.1-2 (Debian): a rule ends five hours early.
# Guess: UNTIL in UTC is the instant that was given (RFC 5545, section 3.3.10). Ten in the morning in New York
# on 22 December is 20261222T150000Z.
# So: the clock time of its zone is written with a `Z`. The last consult, at ten, is after the end of its own
# rule, and it is in no calendar. East of Greenwich the rule ends too late.
#
# Output seen on 2026-11-30:
#   DTSTART;TZID=America/New_York:20261201T100000
#   RRULE:FREQ=WEEKLY;INTERVAL=1;UNTIL=20261222T100000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-eluceo-ical=0.16.1-2 \
  php8.2-cli php8.2-common libargon2-1 libicu72 libsodium23 libxml2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(usr/bin/php8.2 -n -d error_reporting=0 -d date.timezone=UTC -d include_path=usr/share/php <<'END'
<?php
spl_autoload_register(fn($class) => require str_replace("\\", "/", $class) . ".php");
$zone = new DateTimeZone("America/New_York");
$rule = (new Eluceo\iCal\Property\Event\RecurrenceRule())->setFreq("WEEKLY");
$rule->setUntil(new DateTime("2026-12-22 10:00", $zone));
$event = (new Eluceo\iCal\Component\Event("1"))->setUseTimezone(true)->setRecurrenceRule($rule);
$event->setDtStart(new DateTime("2026-12-01 10:00", $zone));
preg_match_all("/^(?:DTSTART|RRULE).*/m", $event->render(), $lines);
echo implode("\n", array_map("trim", $lines[0])), "\n";
END
)

expected=$(cat <<'END'
DTSTART;TZID=America/New_York:20261201T100000
RRULE:FREQ=WEEKLY;INTERVAL=1;UNTIL=20261222T100000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
