#!/usr/bin/env bash
# libtext-names-perl 0.46-2 (Debian): of Jordan Doe III the given names are I. I. I.
# Guess: `parseName("Jordan Doe III")` gives Jordan and Doe III, or Jordan and Doe, as it gives Jordan and Doe
# Jr of Jordan Doe Jr. The documentation promises English-style names; that Jr is the only suffix is said of
# `parseName2` alone.
# So: a number after the name is taken for three initials, and the first name for a part of the last.
# `cleanName`, which it recommends for data in doubt, does so, too. A client who is the third of that name is
# filed as Jordan Doe, I. I. I., apart from his other papers.
#
# Output seen on 2026-11-30:
#   Jordan Doe: given Jordan, last Doe, clean Doe, Jordan
#   Jordan Doe Jr: given Jordan, last Doe Jr, clean Doe Jr, Jordan
#   Jordan Doe II: given I. I., last Jordan Doe, clean Jordan Doe, I. I.
#   Jordan Doe III: given I. I. I., last Jordan Doe, clean Jordan Doe, I. I. I.
#   Doe III, Jordan: given Jordan, last Doe III, clean Doe Iii, Jordan
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libtext-names-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=0.46-2 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use Text::Names qw(parseName cleanName);
for my $name ("Jordan Doe", "Jordan Doe Jr", "Jordan Doe II", "Jordan Doe III", "Doe III, Jordan") {
  my ($given, $last) = parseName($name);
  print "$name: given $given, last $last, clean ", cleanName($name), "\n";
}
END
)

expected=$(cat <<'END'
Jordan Doe: given Jordan, last Doe, clean Doe, Jordan
Jordan Doe Jr: given Jordan, last Doe Jr, clean Doe Jr, Jordan
Jordan Doe II: given I. I., last Jordan Doe, clean Jordan Doe, I. I.
Jordan Doe III: given I. I. I., last Jordan Doe, clean Jordan Doe, I. I. I.
Doe III, Jordan: given Jordan, last Doe III, clean Doe Iii, Jordan
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
