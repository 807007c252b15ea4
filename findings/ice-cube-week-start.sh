#!/usr/bin/env bash
# ruby-ice-cube 0.16.4-3 (Debian): a rule for every other week begins its weeks on Sunday.
# Guess: without WKST a week begins on Monday (RFC 5545, section 3.3.10). Of
# FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO from a Tuesday, the first one is the Sunday of that week.
# So: `from_ical` begins the week on Sunday, as the README says of the methods of ice_cube. That Sunday is
# left out, and all others are in the weeks between. With WKST=MO, which says the same, it is right.
#
# Output seen on 2026-11-30:
#   FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=4: Sun 2026-12-13, Mon 2026-12-14, Sun 2026-12-27, Mon 2026-12-28
#   FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=4;WKST=MO: Sun 2026-12-06, Mon 2026-12-14, Sun 2026-12-20, Mon 2026-12-28
#   FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=4;WKST=SU: Sun 2026-12-13, Mon 2026-12-14, Sun 2026-12-27, Mon 2026-12-28
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-ice-cube=0.16.4-3 ruby3.1 libruby3.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
gem="$folder/usr/share/rubygems-integration/all/gems/ice_cube-0.16.4/lib"
export RUBYLIB="$gem:$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*/ruby/3.1.0)"

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END'
require "time"
require "ice_cube"
rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=4"
[rule, "#{rule};WKST=MO", "#{rule};WKST=SU"].each do |text|
  schedule = IceCube::Schedule.from_ical("DTSTART:20261201T100000Z\nRRULE:#{text}")
  puts "#{text}: #{schedule.all_occurrences.map { |time| time.strftime("%a %F") }.join(", ")}"
end
END
)

expected=$(cat <<'END'
FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=4: Sun 2026-12-13, Mon 2026-12-14, Sun 2026-12-27, Mon 2026-12-28
FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=4;WKST=MO: Sun 2026-12-06, Mon 2026-12-14, Sun 2026-12-20, Mon 2026-12-28
FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=4;WKST=SU: Sun 2026-12-13, Mon 2026-12-14, Sun 2026-12-27, Mon 2026-12-28
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
