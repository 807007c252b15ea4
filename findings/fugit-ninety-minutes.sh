#!/usr/bin/env bash
# ruby-fugit 1.5.2-1 (Debian): `every 90 minutes` is due each hour.
# Guess: `Fugit.parse("every 90 minutes")` is due each ninety minutes, or gives nothing, for no cron
# expression says that. The README has `every 5 minutes`, and no limit.
# So: it becomes `*/90 * * * *`, which is due at each full hour: there are three reminders where two were
# asked for. `every 40 minutes` is due after forty and twenty minutes in turn. The duration `90m` of the same
# library is right.
#
# Output seen on 2026-11-30:
#   every 90 minutes, */90 * * * *: after 10:00, 11:00, 12:00, 13:00, 14:00
#   every 40 minutes, */40 * * * *: after 10:00, 10:40, 11:00, 11:40, 12:00
#   every 30 minutes, */30 * * * *: after 10:00, 10:30, 11:00, 11:30, 12:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-fugit=1.5.2-1 ruby-et-orbi=1.2.2-1 ruby-raabro=1.4.0-1 ruby-tzinfo=2.0.5-1 \
  ruby-concurrent=1.1.6+dfsg-5 ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
gems=$(echo "$folder"/usr/share/rubygems-integration/all/gems/*/lib | tr ' ' ':')
export RUBYLIB="$folder/usr/lib/ruby/vendor_ruby:$gems"
export RUBYLIB="$RUBYLIB:$(echo "$folder"/usr/share/rubygems-integration/all/gems/*/lib/concurrent-ruby)"
export RUBYLIB="$RUBYLIB:$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*/ruby/3.1.0)"

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END' 2>/dev/null
require "fugit"
["every 90 minutes", "every 40 minutes", "every 30 minutes"].each do |phrase|
  cron = Fugit.parse(phrase)
  time = EtOrbi.parse("2026-12-01 10:00 UTC")
  due = 4.times.map { (time = cron.next_time(time)).strftime("%H:%M") }
  puts "#{phrase}, #{cron.original}: after 10:00, #{due.join(", ")}"
end
END
)

expected=$(cat <<'END'
every 90 minutes, */90 * * * *: after 10:00, 11:00, 12:00, 13:00, 14:00
every 40 minutes, */40 * * * *: after 10:00, 10:40, 11:00, 11:40, 12:00
every 30 minutes, */30 * * * *: after 10:00, 10:30, 11:00, 11:30, 12:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
