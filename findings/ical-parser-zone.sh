#!/usr/bin/env bash
# libical-parser-perl 1.21-3 (Debian): ten o'clock in Los Angeles is read as ten o'clock in New York.
# Guess: iCal::Parser adjusts dates to the zone that is asked for, as its documentation says of `tz`: ten in Los
# Angeles is one in the afternoon in New York. TZID names the zone of a time (RFC 5545, section 3.2.19).
# So: a time in UTC is adjusted, and one with TZID keeps its clock time and gets the zone that was asked for, with
# no sign of the other. That VTIMEZONE is ignored is said only of the entry itself. In the calendar of the practice,
# a call with a client in Los Angeles is three hours early.
#
# Output seen on 2026-11-30:
#   DTSTART:20261201T180000Z is 2026-12-01T13:00:00 in America/New_York
#   DTSTART;TZID=America/Los_Angeles:20261201T100000 is 2026-12-01T10:00:00 in America/New_York
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libical-parser-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=1.21-3 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"
cat >zone <<'END'
BEGIN:VTIMEZONE
TZID:America/Los_Angeles
BEGIN:STANDARD
DTSTART:20201101T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0700
TZOFFSETTO:-0800
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20200308T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0800
TZOFFSETTO:-0700
END:DAYLIGHT
END:VTIMEZONE
END

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use iCal::Parser;
open my $file, "<", "zone" or die;
my $zone = do { local $/; <$file> };
for my $start ("DTSTART:20261201T180000Z", "DTSTART;TZID=America/Los_Angeles:20261201T100000") {
  my $text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Practice//EN\n${zone}BEGIN:VEVENT\nUID:1\n" .
    "DTSTAMP:20261130T090000Z\n$start\nDURATION:PT30M\nSUMMARY:Consult\nEND:VEVENT\nEND:VCALENDAR\n";
  my $parser = iCal::Parser->new(tz => "America/New_York", start => "20261101", end => "20270101");
  my $event = $parser->parse_strings($text)->{events}{2026}{12}{1}{1};
  print "$start is $event->{DTSTART} in ", $event->{DTSTART}->time_zone->name, "\n";
}
END
)

expected=$(cat <<'END'
DTSTART:20261201T180000Z is 2026-12-01T13:00:00 in America/New_York
DTSTART;TZID=America/Los_Angeles:20261201T100000 is 2026-12-01T10:00:00 in America/New_York
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
