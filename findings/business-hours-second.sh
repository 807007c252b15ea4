#!/usr/bin/env bash
# libbusiness-hours-perl 0.13-2 (Debian): an hour of business has 3601 seconds.
# Guess: `between` gives "the number of business seconds between START and END". From nine to ten that is 3600, and two
# hours are as long as both of them.
# So: the second of the end is counted, too. What is added up over many answers or many hours of work is a second more
# for each, and a time of no length is a second long.
#
# Output seen on 2026-11-30:
#   9 to 10: 3601
#   10 to 11: 3601
#   9 to 11: 7201
#   10 to 10: 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libbusiness-hours-perl=0.13-2 \
  $(apt-cache depends --recurse --important libbusiness-hours-perl | grep -E '^lib.*-perl$' | grep -vx libbusiness-hours-perl) 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use Business::Hours;
use Time::Local;
my $at = sub { timegm(0, 0, shift, 30, 10, 2026) };
for my $hours ([9, 10], [10, 11], [9, 11], [10, 10]) {
  my ($start, $end) = @$hours;
  print "$start to $end: ", Business::Hours->new->between($at->($start), $at->($end)), "\n";
}
END
)

expected=$(cat <<'END'
9 to 10: 3601
10 to 11: 3601
9 to 11: 7201
10 to 10: 1
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
