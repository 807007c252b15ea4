#!/usr/bin/env bash
# ruby-chronic-duration 0.10.6.2-2 (Debian): thirty days are a month and two days.
# Guess: `output` with `weeks: true` says the same length in other units, which `parse` reads back.
# So: with weeks a month has 28 days, and `parse` has 30 for it. A deadline of 30 days becomes one of 32, and
# a year of 365 days becomes 391. Without weeks, 30 days are a month both ways.
#
# Output seen on 2026-11-30:
#   14 days without weeks: 14 days, read as 14 days
#   14 days with weeks: 2 wks, read as 14 days
#   30 days without weeks: 1 mo, read as 30 days
#   30 days with weeks: 1 mo 2 days, read as 32 days
#   365 days without weeks: 12 mos 5 days, read as 365 days
#   365 days with weeks: 13 mos 1 day, read as 391 days
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-chronic-duration=0.10.6.2-2 ruby-numerizer=0.2.0-2 ruby3.1 libruby3.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
export RUBYLIB="$folder/usr/lib/ruby/vendor_ruby:$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*/ruby/3.1.0)"

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END'
require "gitlab_chronic_duration"
day = 24 * 60 * 60
[14, 30, 365].each do |days|
  [false, true].each do |weeks|
    text = ChronicDuration.output(days * day, weeks: weeks)
    puts "#{days} days #{weeks ? "with" : "without"} weeks: #{text}, read as #{ChronicDuration.parse(text) / day} days"
  end
end
END
)

expected=$(cat <<'END'
14 days without weeks: 14 days, read as 14 days
14 days with weeks: 2 wks, read as 14 days
30 days without weeks: 1 mo, read as 30 days
30 days with weeks: 1 mo 2 days, read as 32 days
365 days without weeks: 12 mos 5 days, read as 365 days
365 days with weeks: 13 mos 1 day, read as 391 days
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
