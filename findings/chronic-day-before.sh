#!/usr/bin/env bash
# ruby-chronic 0.10.5-2 (Debian): five days before 25 December are in November.
# Guess: a time span counts from the date that follows it. The README has `7 hours before tomorrow at noon`
# and `5 months before now`, and reads `dec 25` as a date.
# So: behind such a word, the day of the month is taken for the hour: 25 o'clock on 1 December. No error says
# so. Of a weekday it is right.
#
# Output seen on 2026-11-30:
#   dec 25: 2026-12-25 12:00
#   5 days before dec 25: 2026-11-27 01:00
#   1 week after december 10: 2026-12-08 10:00
#   2 days before friday: 2026-12-02 12:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-chronic=0.10.5-2 ruby3.1 libruby3.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
gems="$folder/usr/share/rubygems-integration/all/gems"
export RUBYLIB="$gems/chronic-0.10.5/lib:$gems/gitlab-chronic-0.10.5/lib"
export RUBYLIB="$RUBYLIB:$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*/ruby/3.1.0)"

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END'
require "chronic"
now = Time.utc(2026, 11, 30, 9)
["dec 25", "5 days before dec 25", "1 week after december 10", "2 days before friday"].each do |text|
  puts "#{text}: #{Chronic.parse(text, now: now).strftime("%F %R")}"
end
END
)

expected=$(cat <<'END'
dec 25: 2026-12-25 12:00
5 days before dec 25: 2026-11-27 01:00
1 week after december 10: 2026-12-08 10:00
2 days before friday: 2026-12-02 12:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
