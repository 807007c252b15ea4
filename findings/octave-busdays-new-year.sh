#!/usr/bin/env bash
# octave-financial 0.5.3-4 (Debian): New Year's Day is a business day.
# Guess: `busdays("12/21/2026", "12/31/2026", "weekly")` gives the last business day of each week. The
# documentation says that it lists business dates, and that `holidays` is used where no holidays are given.
# So: the last week ends on Friday, 1 January, which is listed: holidays are looked up to the end of the year
# only. A payment is planned for a day on which no bank is open. `isbusday` says that it is no business day,
# and where the end is in January, it is not listed.
#
# Output seen on 2026-12-01:
#   weekly to 12/31/2026: Thu 24 Dec 2026, Fri 01 Jan 2027
#   weekly to 01/04/2027: Thu 24 Dec 2026, Thu 31 Dec 2026, Fri 08 Jan 2027
#   1 January 2027 is a business day: 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=octave-financial
needed=$(apt-get install --simulate --no-install-recommends $package | awk '/^Inst/ { print $2 }' | grep -vx $package)
apt-get download -qq $package=0.5.3-4 octave=7.3.0-2 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export OCTAVE_HOME="$folder/usr" LD_LIBRARY_PATH=$(find . -name '*.so*' -printf "$folder/%h\n" | sort -u | tr '\n' ':')

cat >days.m <<'END'
addpath("usr/share/octave/packages/financial-0.5.3");
for last = ["12/31/2026"; "01/04/2027"]'
  days = cellstr(datestr(busdays("12/21/2026", last', "weekly"), "ddd dd mmm yyyy"));
  printf("weekly to %s: %s\n", last, strjoin(days', ", "));
end
printf("1 January 2027 is a business day: %d\n", isbusday(datenum(2027, 1, 1)));
END
seen=$(TZ=UTC usr/bin/octave-cli --norc --no-history days.m 2>/dev/null)

expected=$(cat <<'END'
weekly to 12/31/2026: Thu 24 Dec 2026, Fri 01 Jan 2027
weekly to 01/04/2027: Thu 24 Dec 2026, Thu 31 Dec 2026, Fri 08 Jan 2027
1 January 2027 is a business day: 0
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
