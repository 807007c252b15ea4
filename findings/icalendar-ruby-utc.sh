#!/usr/bin/env bash
# ruby-icalendar 2.8.0-1 (Debian): a Time in UTC is written without its zone.
# Guess: `Time.utc(2026, 12, 1, 15)` is written 20261201T150000Z. A DTSTAMP has to be in UTC (RFC 5545,
# section 3.8.7.2).
# So: what is set from outside, as a start or DTSTAMP, becomes a clock time without a zone; only the DTSTAMP
# that the library sets itself has its Z. A client in New York has the consult at 15:00 there, five hours
# late. A time with another offset loses it, too. Known as issue 154, which is open: the zone has to be named
# beside the time.
#
# Output seen on 2026-11-30:
#   DTSTAMP:20261130T090000
#   DTSTART:20261201T150000
#   DTEND:20261201T110000
#   DTSTAMP:00000000T000000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-icalendar=2.8.0-1 ruby-ice-cube=0.16.4-3 ruby3.1 libruby3.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
gems="$folder/usr/share/rubygems-integration/all/gems"
export RUBYLIB="$gems/icalendar-2.8.0/lib:$gems/ice_cube-0.16.4/lib"
export RUBYLIB="$RUBYLIB:$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*/ruby/3.1.0)"

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END'
require "delegate"
require "stringio"
require "time"
require "icalendar"
event = Icalendar::Event.new
event.dtstamp = Time.utc(2026, 11, 30, 9)
event.dtstart = Time.utc(2026, 12, 1, 15)
event.dtend = Time.new(2026, 12, 1, 11, 0, 0, "-05:00")
puts event.to_ical.lines(chomp: true).grep(/^DT/)
puts Icalendar::Event.new.to_ical[/^DTSTAMP.*/].chomp.tr("0-9", "0")
END
)

expected=$(cat <<'END'
DTSTAMP:20261130T090000
DTSTART:20261201T150000
DTEND:20261201T110000
DTSTAMP:00000000T000000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
