#!/usr/bin/env bash
# ruby-money 6.16.0-1 (Debian): a fifth of a dollar is 19 cents.
# Guess: `allocate` takes an array of any numbers and divides in proportion to them, as its comment says. One
# dollar by 0.1, 0.2 and 0.7 is 10, 20 and 70 cents, as by 10, 20 and 70, for no penny is left over.
# So: it is 11, 19 and 70. The sum of the rest of the parts is a floating-point number a little above 0.3,
# each part is cut off, and the first one gets what is missing. In another order, or with BigDecimal, it is
# right. RubyMoney/money pull request 1082 of March 2024 computes with BigDecimal.
#
# Output seen on 2026-12-01:
#   0.1, 0.2, 0.7: 11, 19, 70
#   0.7, 0.2, 0.1: 70, 20, 10
#   10, 20, 70: 10, 20, 70
#   0.1e0, 0.2e0, 0.7e0: 10, 20, 70
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ruby-money=6.16.0-1 ruby-i18n ruby-concurrent ruby3.1 libruby3.1 libgmp10 libcrypt1 zlib1g \
  2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu):$(echo "$folder"/lib/*-linux-gnu)
gems="$folder/usr/share/rubygems-integration/all/gems"
export RUBYLIB="$folder/usr/lib/ruby/3.1.0:$(echo "$folder"/usr/lib/*-linux-gnu/ruby/3.1.0)"
for gem in "$gems"/money-*/lib "$gems"/i18n-*/lib "$gems"/concurrent-ruby-*/lib/concurrent-ruby; do
  RUBYLIB="$RUBYLIB:$gem"
done

seen=$(TZ=UTC usr/bin/ruby3.1 --disable-gems - <<'END'
require "money"
Money.locale_backend = nil
Money.rounding_mode = BigDecimal::ROUND_HALF_UP
exact = %w[0.1 0.2 0.7].map { |part| BigDecimal(part) }
[[0.1, 0.2, 0.7], [0.7, 0.2, 0.1], [10, 20, 70], exact].each do |parts|
  puts "#{parts.join(", ")}: #{Money.new(100, "USD").allocate(parts).map(&:cents).join(", ")}"
end
END
)

expected=$(cat <<'END'
0.1, 0.2, 0.7: 11, 19, 70
0.7, 0.2, 0.1: 70, 20, 10
10, 20, 70: 10, 20, 70
0.1e0, 0.2e0, 0.7e0: 10, 20, 70
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
