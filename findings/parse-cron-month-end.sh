#!/usr/bin/env bash
# ruby-parse-cron 0.1.4-1.1 (Debian): what is due on the 31st runs on 1 February, too.
# Guess: a day that a month does not have is left out, as crontab(5) matches the day of the month.
# So: the fields are put together without a look at the length of the month. February the 31st becomes February the
# first. A monthly charge is made twice within two days, and a job of 29 February runs on the first of February in each
# year that has no leap day.
#
# Output seen on 2026-11-30:
#   0 10 31 * *: 2027-01-31, 2027-02-01, 2027-03-31, 2027-04-01
#   0 10 29 2 *: 2028-02-29, 2029-02-01, 2030-02-01, 2031-02-01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-parse-cron=0.1.4-1.1 ruby3.1 libruby3.1 libgmp10 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

modules=$(echo "$folder"/usr/lib/ruby/{vendor_ruby,3.1.0} "$folder"/usr/lib/*/ruby/3.1.0)
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu) RUBYLIB=${modules// /:}
seen=$(TZ=UTC usr/bin/ruby3.1 -W0 --disable-gems - <<'END'
require "cron_parser"
["0 10 31 * *", "0 10 29 2 *"].each do |expression|
  time = Time.utc(2027, 1, 15)
  times = Array.new(4) { time = CronParser.new(expression).next(time) }
  puts "#{expression}: #{times.map { |due| due.strftime("%Y-%m-%d") }.join(", ")}"
end
END
)

expected=$(cat <<'END'
0 10 31 * *: 2027-01-31, 2027-02-01, 2027-03-31, 2027-04-01
0 10 29 2 *: 2028-02-29, 2029-02-01, 2030-02-01, 2031-02-01
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
