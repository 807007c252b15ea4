#!/usr/bin/env bash
# ruby-money 6.16.0-1 (Debian): of an amount that is divided by shares, a cent is lost.
# Guess: the parts add up to the amount. The documentation of `allocate` says so, and takes numbers of any kind as
# shares.
# So: the shares are added and divided as floating-point numbers, and each part is cut off. Of $10.00 by 0.1 and 0.2,
# one cent is in no part, without an error. Known as issue 1033, which is closed since.
#
# Output seen on 2026-11-30:
#   1000 cents by [1, 2]: [334, 666], together 1000
#   1000 cents by [0.3, 0.7]: [300, 700], together 1000
#   1000 cents by [0.1, 0.2]: [333, 666], together 999
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-money=6.16.0-1 ruby-i18n=1.10.0-2 ruby-concurrent=1.1.6+dfsg-5 \
  ruby3.1 libruby3.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)
gems="$folder/usr/share/rubygems-integration/all/gems"
export RUBYLIB="$gems/money-6.16.0/lib:$gems/i18n-1.10.0/lib:$gems/concurrent-ruby-1.1.6/lib/concurrent-ruby"
export RUBYLIB="$RUBYLIB:$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*/ruby/3.1.0)"

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END'
require "bigdecimal"
require "money"
Money.rounding_mode = BigDecimal::ROUND_HALF_EVEN
[[1, 2], [0.3, 0.7], [0.1, 0.2]].each do |shares|
  parts = Money.new(1000, "USD").allocate(shares).map(&:cents)
  puts "1000 cents by #{shares}: #{parts}, together #{parts.sum}"
end
END
)

expected=$(cat <<'END'
1000 cents by [1, 2]: [334, 666], together 1000
1000 cents by [0.3, 0.7]: [300, 700], together 1000
1000 cents by [0.1, 0.2]: [333, 666], together 999
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
