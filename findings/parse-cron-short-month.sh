#!/usr/bin/env bash
# ruby-parse-cron 0.1.4-1.1 (Debian): a job for the 31st runs on 1 February, too.
# Guess: a month without that day is left out (crontab(5): the day of the month has to match). `0 9 31 * *` runs seven
# times a year.
# So: of a month that is too short, `next` and `last` give the first day. An invoice run at the end of long months
# comes on the first of all others, and what is yearly on 29 February comes on 1 February.
#
# Output seen on 2026-11-30:
#   0 9 31 * *: 2026-12-31, 2027-01-31, 2027-02-01, 2027-03-31, 2027-04-01
#   0 9 29 2 *: 2028-02-29, 2029-02-01, 2030-02-01, 2031-02-01, 2032-02-29
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-parse-cron=0.1.4-1.1 \
  ruby3.1 libruby3.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
export RUBYLIB="$folder/usr/lib/ruby/vendor_ruby:$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*/ruby/3.1.0)"

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END'
require "set"
require "time"
require "parse-cron"
{ "0 9 31 * *" => "2026-12-01", "0 9 29 2 *" => "2027-01-01" }.each do |rule, start|
  time = Time.parse("#{start} 00:00:00 UTC")
  days = Array.new(5) { (time = CronParser.new(rule).next(time)).strftime("%F") }
  puts "#{rule}: #{days.join(", ")}"
end
END
)

expected=$(cat <<'END'
0 9 31 * *: 2026-12-31, 2027-01-31, 2027-02-01, 2027-03-31, 2027-04-01
0 9 29 2 *: 2028-02-29, 2029-02-01, 2030-02-01, 2031-02-01, 2032-02-29
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
