#!/usr/bin/env bash
# ruby-parse-cron 0.1.4-1.1 (Debian): the job of the 31st runs on 1 February.
# Guess: a job for the 31st runs in the months that have one, and a job for 29 February in leap years.
# So: in a month that is too short for its day it runs on the first, also where the last run before now is
# asked for. The job of 29 February runs on 1 February of all other years.
#
# Output seen on 2026-11-30:
#   next of 0 10 31 * *: 2026-12-31, 2027-01-31, 2027-02-01, 2027-03-31, 2027-04-01, 2027-05-31
#   last of 0 10 31 * *: 2026-10-31, 2026-09-01, 2026-08-31, 2026-07-31, 2026-06-01, 2026-05-31
#   next of 0 10 29 2 *: 2028-02-29, 2029-02-01, 2030-02-01, 2031-02-01, 2032-02-29, 2033-02-01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-parse-cron=0.1.4-1.1 ruby3.1 libruby3.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
export RUBYLIB="$folder/usr/lib/ruby/vendor_ruby:$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*/ruby/3.1.0)"

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END'
require "cron_parser"
def runs(job, method)
  time = Time.utc(2026, 11, 30)
  6.times.map { (time = CronParser.new(job).public_send(method, time)).strftime("%F") }.join(", ")
end
puts "next of 0 10 31 * *: #{runs("0 10 31 * *", :next)}"
puts "last of 0 10 31 * *: #{runs("0 10 31 * *", :last)}"
puts "next of 0 10 29 2 *: #{runs("0 10 29 2 *", :next)}"
END
)

expected=$(cat <<'END'
next of 0 10 31 * *: 2026-12-31, 2027-01-31, 2027-02-01, 2027-03-31, 2027-04-01, 2027-05-31
last of 0 10 31 * *: 2026-10-31, 2026-09-01, 2026-08-31, 2026-07-31, 2026-06-01, 2026-05-31
next of 0 10 29 2 *: 2028-02-29, 2029-02-01, 2030-02-01, 2031-02-01, 2032-02-29, 2033-02-01
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
