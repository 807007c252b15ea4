#!/usr/bin/env bash
# libschedule-cron-perl 1.05-1 (Debian): what is due each third month is due five times a year.
# Guess: `0 10 1 */3 *` is due on the first of January, April, July and October. An asterisk stands for the
# first to the last value of a field, as its documentation says in the words of crontab(5), and months begin
# with 1.
# So: steps are counted from 0 in each field: 0, 3, 6, 9 and 12, of which 0 becomes 1. The reminders of
# quarterly taxes come in January, March, June, September and December, and `*/10` is the 1st, 10th, 20th and
# 30th of a month. With `1-12/3` it is right.
#
# Output seen on 2026-11-30:
#   0 10 1 */3 *: 01 Jan, 01 Mar, 01 Jun, 01 Sep, 01 Dec
#   0 10 1 1-12/3 *: 01 Jan, 01 Apr, 01 Jul, 01 Oct
#   0 10 */10 1 *: 01 Jan, 10 Jan, 20 Jan, 30 Jan
#   0 10 1-31/10 1 *: 01 Jan, 11 Jan, 21 Jan, 31 Jan
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libschedule-cron-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=1.05-1 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use POSIX qw(mktime strftime);
use Schedule::Cron;
my $cron = Schedule::Cron->new(sub {});
for my $expression ("0 10 1 */3 *", "0 10 1 1-12/3 *", "0 10 */10 1 *", "0 10 1-31/10 1 *") {
  my ($time, @days) = mktime(0, 0, 0, 30, 11, 126);
  while (($time = $cron->get_next_execution_time($expression, $time)) < mktime(0, 0, 0, 31, 11, 127)) {
    push @days, strftime("%d %b", gmtime $time);
  }
  print "$expression: ", join(", ", @days), "\n";
}
END
)

expected=$(cat <<'END'
0 10 1 */3 *: 01 Jan, 01 Mar, 01 Jun, 01 Sep, 01 Dec
0 10 1 1-12/3 *: 01 Jan, 01 Apr, 01 Jul, 01 Oct
0 10 */10 1 *: 01 Jan, 10 Jan, 20 Jan, 30 Jan
0 10 1-31/10 1 *: 01 Jan, 11 Jan, 21 Jan, 31 Jan
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
