#!/usr/bin/env bash
# libdatetime-format-flexible-perl 0.34-1 (Debian): the Z of a time without hyphens is lost.
# Guess: 20261201T150000Z is 2026-12-01T15:00:00Z, the basic and the extended format of one instant (ISO
# 8601), or an error. Calendar files have the former (RFC 5545, section 3.3.5, form 2).
# So: it is read, and it becomes a time without a zone. An offset such as -0500 is lost as well. With the zone
# of the practice set, the consult is at three o'clock there, not at ten.
#
# Output seen on 2026-11-30:
#   2026-12-01T15:00:00Z: 2026-12-01T15:00:00, zone UTC, in New York 2026-12-01T10:00:00
#   20261201T150000Z: 2026-12-01T15:00:00, zone floating, in New York 2026-12-01T15:00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libdatetime-format-flexible-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=0.34-1 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use DateTime::Format::Flexible;
for my $text ("2026-12-01T15:00:00Z", "20261201T150000Z") {
  my $time = DateTime::Format::Flexible->parse_datetime($text);
  print "$text: $time, zone ", $time->time_zone->name;
  print ", in New York ", $time->set_time_zone("America/New_York"), "\n";
}
END
)

expected=$(cat <<'END'
2026-12-01T15:00:00Z: 2026-12-01T15:00:00, zone UTC, in New York 2026-12-01T10:00:00
20261201T150000Z: 2026-12-01T15:00:00, zone floating, in New York 2026-12-01T15:00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
