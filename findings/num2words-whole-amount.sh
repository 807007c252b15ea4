#!/usr/bin/env bash
# python3-num2words 0.5.10-2 (Debian): a whole amount of dollars in words is a hundredth of it.
# Guess: the number 1999 with `to="currency"` is an amount of dollars, as 1999.5 is. The docstring of
# `to_currency` calls it a numeric value.
# So: a whole number is taken as cents, and a decimal number as dollars. The amount in words on a cheque over
# $1,000,000 is ten thousand dollars.
#
# Output seen on 2026-11-29:
#   1999.5: one thousand, nine hundred and ninety-nine dollars, fifty cents
#   1999.0: one thousand, nine hundred and ninety-nine dollars, zero cents
#   1999: nineteen dollars, ninety-nine cents
#   1000000: ten thousand dollars, zero cents
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-num2words=0.5.10-2 python3-docopt=0.6.2-4.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from num2words import num2words
for amount in (1999.5, 1999.0, 1999, 1000000):
    print(f"{amount}: {num2words(amount, to='currency', currency='USD')}")
END
)

expected=$(cat <<'END'
1999.5: one thousand, nine hundred and ninety-nine dollars, fifty cents
1999.0: one thousand, nine hundred and ninety-nine dollars, zero cents
1999: nineteen dollars, ninety-nine cents
1000000: ten thousand dollars, zero cents
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
