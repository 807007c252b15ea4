#!/usr/bin/env bash
# libdatetime-event-ical-perl 0.13-2 (Debian): the Mondays of January are those that fall on the first.
# Guess: in a weekly rule BYMONTH limits the days (RFC 2445, section 4.3.10, which the documentation names),
# so that BYDAY=MO;BYMONTH=1 is each Monday in January. In a daily rule BYMONTHDAY=-1 is the last day of each
# month.
# So: of a weekly or monthly rule only the days are taken on which a month begins; the next such Monday in
# January is in 2029. Of the daily rule, only the last day of the year is taken. There is no error.
#
# Output seen on 2026-11-30:
#   freq weekly byday mo: 2026-12-07 2026-12-14 2026-12-21
#   freq weekly byday mo bymonth 1: 2029-01-01 2035-01-01 2046-01-01
#   freq monthly byday mo bymonth 1,2: 2027-02-01 2029-01-01 2035-01-01
#   freq daily bymonthday -1: 2026-12-31 2027-12-31 2028-12-31
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libdatetime-event-ical-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=0.13-2 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use DateTime;
use DateTime::Event::ICal;
my $start = DateTime->new(year => 2026, month => 12, day => 1, hour => 10, time_zone => "UTC");
for my $rule ([freq => "weekly", byday => ["mo"]], [freq => "weekly", byday => ["mo"], bymonth => [1]],
  [freq => "monthly", byday => ["mo"], bymonth => [1, 2]], [freq => "daily", bymonthday => [-1]]) {
  my $dates = DateTime::Event::ICal->recur(dtstart => $start, count => 3, @$rule)->iterator;
  my @days;
  while (my $date = $dates->next) { push @days, $date->ymd }
  print join(" ", map { ref $_ ? join ",", @$_ : $_ } @$rule), ": @days\n";
}
END
)

expected=$(cat <<'END'
freq weekly byday mo: 2026-12-07 2026-12-14 2026-12-21
freq weekly byday mo bymonth 1: 2029-01-01 2035-01-01 2046-01-01
freq monthly byday mo bymonth 1,2: 2027-02-01 2029-01-01 2035-01-01
freq daily bymonthday -1: 2026-12-31 2027-12-31 2028-12-31
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
