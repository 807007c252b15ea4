#!/usr/bin/env bash
# libdate-manip-perl 6.91-1 (Debian): 10:30a is half past six.
# Guess: `12/01/2026 10:30a` is half past ten in the morning, or it is not read, as `10:30 o'clock` is not. It is how
# many calendars print a time in little space.
# So: the letter is read as one of the zones of the military, which are an hour apart. In New York a consult at 10:30a
# is at half past six, and one at 2:30p is in the evening of the day before. `10:30 am` and `10:30am` are right.
#
# Output seen on 2026-12-01:
#   10:30 am: 2026-12-01 10:30
#   10:30am: 2026-12-01 10:30
#   10:30a: 2026-12-01 06:30
#   2:30 pm: 2026-12-01 14:30
#   2:30p: 2026-11-30 18:30
#   10:30 o'clock: not read
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libdate-manip-perl
apt-get download -qq $package=6.91-1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PERL5LIB="$folder/usr/share/perl5" TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use Date::Manip;
Date_Init("SetDate=2026-12-01-09:20:00,America/New_York", "DateFormat=US");
for my $text ("10:30 am", "10:30am", "10:30a", "2:30 pm", "2:30p", "10:30 o'clock") {
  my $time = ParseDate("12/01/2026 $text");
  print "$text: ", $time ? UnixDate($time, "%Y-%m-%d %H:%M") : "not read", "\n";
}
END
)

expected=$(cat <<'END'
10:30 am: 2026-12-01 10:30
10:30am: 2026-12-01 10:30
10:30a: 2026-12-01 06:30
2:30 pm: 2026-12-01 14:30
2:30p: 2026-11-30 18:30
10:30 o'clock: not read
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
