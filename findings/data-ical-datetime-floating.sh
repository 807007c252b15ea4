#!/usr/bin/env bash
# libdata-ical-datetime-perl 0.82-3 (Debian): a time without a zone gets the zone `floating`.
# Guess: a DateTime without a zone, which DateTime calls floating, is written as a local time without TZID.
# That is form 1 of iCalendar, which is called floating, too (RFC 5545, section 3.3.5).
# So: it gets `TZID=floating`. No such zone exists, and the file has no VTIMEZONE of that name, which section
# 3.2.19 asks for. No calendar can tell when the consult is. A time in UTC gets `TZID=UTC` in place of a `Z`.
#
# Output seen on 2026-11-30:
#   floating: DTSTART;TZID=floating:20261201T100000
#   UTC: DTSTART;TZID=UTC:20261201T100000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libdata-ical-datetime-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=0.82-3 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use Data::ICal;
use Data::ICal::Entry::Event;
use Data::ICal::DateTime;
use DateTime;
my %at = (year => 2026, month => 12, day => 1, hour => 10);
for my $start (DateTime->new(%at), DateTime->new(%at, time_zone => "UTC")) {
  my $event = Data::ICal::Entry::Event->new;
  $event->start($start);
  my ($line) = $event->as_string =~ /(DTSTART\S+)/;
  print $start->time_zone->name, ": $line\n";
}
END
)

expected=$(cat <<'END'
floating: DTSTART;TZID=floating:20261201T100000
UTC: DTSTART;TZID=UTC:20261201T100000
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
