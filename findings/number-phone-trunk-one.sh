#!/usr/bin/env bash
# libnumber-phone-perl 3.9001-1 (Debian): 1-212-555-0123 is no telephone number.
# Guess: `Number::Phone->new("US", "1-212-555-0123")` is +1 212 555 0123. In its country a number may have the
# prefix with which it is dialled there: 020 7946 0958 is read in the UK, and the 1 of North America is such a
# prefix, also written 1 (800).
# So: the 1 is taken as part of the number, and nothing is found, also in Canada and without hyphens. A client
# who types the number as it stands on a card, or on a check, is told that it is wrong, or has none in an
# import. `+1` before it is right.
#
# Output seen on 2026-11-30:
#   US 212-555-0123: +1 212 555 0123
#   US +1 212-555-0123: +1 212 555 0123
#   US 1-212-555-0123: none
#   US 12125550123: none
#   US 1 (800) 555-0199: none
#   CA 1-604-555-0123: none
#   UK 020 7946 0958: +44 20 7946 0958
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libnumber-phone-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=3.9001-1 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use Number::Phone;
my @numbers = (["US", "212-555-0123"], ["US", "+1 212-555-0123"], ["US", "1-212-555-0123"], ["US", "12125550123"],
  ["US", "1 (800) 555-0199"], ["CA", "1-604-555-0123"], ["UK", "020 7946 0958"]);
for (@numbers) {
  my ($country, $text) = @$_;
  my $number = Number::Phone->new($country, $text);
  print "$country $text: ", $number ? $number->format : "none", "\n";
}
END
)

expected=$(cat <<'END'
US 212-555-0123: +1 212 555 0123
US +1 212-555-0123: +1 212 555 0123
US 1-212-555-0123: none
US 12125550123: none
US 1 (800) 555-0199: none
CA 1-604-555-0123: none
UK 020 7946 0958: +44 20 7946 0958
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
