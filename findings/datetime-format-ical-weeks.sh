#!/usr/bin/env bash
# libdatetime-format-ical-perl 0.09-3 (Debian): ten days are written as a week and three days.
# Guess: a duration is written as iCalendar has it: either weeks alone, or days and a time (RFC 5545, section 3.3.6,
# dur-value). Ten days are `P10D`.
# So: weeks and days are mixed. A reader that keeps to the grammar refuses `+P1W3D`, so that the reminder ten days
# before a deadline, or the whole event, is lost. Up to six days, and with whole weeks, nothing is to be seen.
#
# Output seen on 2026-11-30:
#   6 days: +P6D
#   7 days: +P1W
#   10 days: +P1W3D
#   -10 days: -P1W3D
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libdatetime-format-ical-perl=0.09-3 \
  $(apt-cache depends --recurse --important libdatetime-format-ical-perl | grep -E '^lib.*-perl$' | grep -vx libdatetime-format-ical-perl) 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use DateTime::Duration;
use DateTime::Format::ICal;
for my $days (6, 7, 10, -10) {
  print "$days days: ", DateTime::Format::ICal->format_duration(DateTime::Duration->new(days => $days)), "\n";
}
END
)

expected=$(cat <<'END'
6 days: +P6D
7 days: +P1W
10 days: +P1W3D
-10 days: -P1W3D
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
