#!/usr/bin/env bash
# libdatetime-format-dateparse-perl 0.05-3 (Debian): 1 December 26 is in 1926.
# Guess: the module reads what Date::Parse reads, to the same instant: it is a wrapper around it, as its
# documentation says. A year of two digits is in an HTTP date of the second form (RFC 9110, section 5.6.7) and
# in old mail (RFC 5322, section 4.3).
# So: Date::Parse has the year within 50 years of now, and the wrapper has 1900 and 26.
#
# Output seen on 2026-11-30:
#   Tuesday, 01-Dec-26 10:00:00 GMT: 2026-12-01T10:00:00 by Date::Parse, 1926-12-01T10:00:00 by the wrapper
#   Tue, 1 Dec 26 10:00:00 -0500: 2026-12-01T15:00:00 by Date::Parse, 1926-12-01T15:00:00 by the wrapper
#   Tue, 1 Dec 2026 10:00:00 -0500: 2026-12-01T15:00:00 by Date::Parse, 2026-12-01T15:00:00 by the wrapper
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libdatetime-format-dateparse-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=0.05-3 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use Date::Parse qw(str2time);
use DateTime;
use DateTime::Format::DateParse;
for my $date ("Tuesday, 01-Dec-26 10:00:00 GMT", "Tue, 1 Dec 26 10:00:00 -0500", "Tue, 1 Dec 2026 10:00:00 -0500") {
  my $wrapped = DateTime::Format::DateParse->parse_datetime($date)->set_time_zone("UTC");
  print "$date: ", DateTime->from_epoch(epoch => str2time($date)), " by Date::Parse, $wrapped by the wrapper\n";
}
END
)

expected=$(cat <<'END'
Tuesday, 01-Dec-26 10:00:00 GMT: 2026-12-01T10:00:00 by Date::Parse, 1926-12-01T10:00:00 by the wrapper
Tue, 1 Dec 26 10:00:00 -0500: 2026-12-01T15:00:00 by Date::Parse, 1926-12-01T15:00:00 by the wrapper
Tue, 1 Dec 2026 10:00:00 -0500: 2026-12-01T15:00:00 by Date::Parse, 2026-12-01T15:00:00 by the wrapper
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
