#!/usr/bin/env bash
# libbusiness-hours-perl 0.13-2 (Debian): the second question gets the answer -1.
# Guess: `between` gives the business seconds of the two times that it is given, each time. Its documentation
# has -1 for a time that is outside the calculated business hours, and asks for no call before it.
# So: the first call fixes the period, and each later call that leaves it gets -1. One object for the whole
# program, as in the synopsis, answers the first client and no other one. A sum of the answers is a little too
# low, without an error. Within the first period, an hour has 3601 seconds.
#
# Output seen on 2026-12-01:
#   1 to 2 December: 32401
#   8 to 9 December, the same object: -1
#   8 to 9 December, a new object: 32401
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libbusiness-hours-perl=0.13-2 libset-intspan-perl=1.19-3 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PERL5LIB="$folder/usr/share/perl5" TZ=UTC perl - <<'END'
use strict;
use warnings;
use Business::Hours;
use Time::Local;
my $hours = Business::Hours->new();
sub ask {
    my ($text, $object, $first, $last) = @_;
    my @times = map { timelocal(0, 0, 10, $_, 11, 2026) } $first, $last;
    print "$text: ", $object->between(@times), "\n";
}
ask("1 to 2 December", $hours, 1, 2);
ask("8 to 9 December, the same object", $hours, 8, 9);
ask("8 to 9 December, a new object", Business::Hours->new(), 8, 9);
END
)

expected=$(cat <<'END'
1 to 2 December: 32401
8 to 9 December, the same object: -1
8 to 9 December, a new object: 32401
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
