#!/usr/bin/env bash
# libdatetime-format-ical-perl 0.09-3 (Debian): it refuses the example of a period in the standard.
# Guess: a period is a start and an end, or a start and a duration. The sign of a duration may be left out
# (RFC 5545, sections 3.3.6 and 3.3.9). 19970101T180000Z/PT5H30M is an example there.
# So: a duration without a sign is read as a date, and the period is an error. Busy times of a FREEBUSY line,
# such as those of an example in section 3.8.2.6, cannot be read.
#
# Output seen on 2026-11-30:
#   19970101T180000Z/19970101T233000Z: 1997-01-01T18:00:00 to 1997-01-01T23:30:00
#   19970101T180000Z/+PT5H30M: 1997-01-01T18:00:00 to 1997-01-01T23:30:00
#   19970101T180000Z/PT5H30M: Invalid iCal datetime string (PT5H30M)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libdatetime-format-ical-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=0.09-3 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use DateTime::Format::ICal;
for my $period ("19970101T180000Z/19970101T233000Z", "19970101T180000Z/+PT5H30M", "19970101T180000Z/PT5H30M") {
  my $span = eval { DateTime::Format::ICal->parse_period($period) };
  print "$period: ", $span ? $span->start . " to " . $span->end : $@ =~ s/\n//r, "\n";
}
END
)

expected=$(cat <<'END'
19970101T180000Z/19970101T233000Z: 1997-01-01T18:00:00 to 1997-01-01T23:30:00
19970101T180000Z/+PT5H30M: 1997-01-01T18:00:00 to 1997-01-01T23:30:00
19970101T180000Z/PT5H30M: Invalid iCal datetime string (PT5H30M)
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
