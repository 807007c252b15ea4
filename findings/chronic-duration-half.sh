#!/usr/bin/env bash
# ruby-chronic-duration 0.10.6.2-2 (Debian): half an hour is an hour.
# Guess: a duration in words is read, as `two hours and twenty minutes` is, or the answer is nil. The README says that
# nil is returned where a text cannot be parsed.
# So: a word that is not known is left out, and the rest is read. Half an hour and a quarter of one become an hour, an
# hour and a half becomes an hour and two seconds, and three quarters of an hour become four hours. Only with
# `raise_exceptions` there is an error.
#
# Output seen on 2026-11-30:
#   two hours and twenty minutes: 8400 s
#   1.5 hours: 5400 s
#   half an hour: 3600 s
#   an hour and a half: 3602 s
#   three quarters of an hour: 14400 s
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
texts = ["two hours and twenty minutes", "1.5 hours", "half an hour", "an hour and a half", "three quarters of an hour"]
texts.each do |text|
  puts "#{text}: #{ChronicDuration.parse(text).to_i} s"
end
END
)

expected=$(cat <<'END'
two hours and twenty minutes: 8400 s
1.5 hours: 5400 s
half an hour: 3600 s
an hour and a half: 3602 s
three quarters of an hour: 14400 s
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
