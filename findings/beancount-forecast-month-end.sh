#!/usr/bin/env bash
# python3-beancount 2.3.5-2+b1 (Debian): rent that is due at the end of each month is due seven times a year.
# Guess: `[MONTHLY]` at 31 January is due in each month, on its last day, or is an error. The plugin `forecast` says
# that transactions are created monthly.
# So: months without a 31st are left out, without a word: February, April, June, September and November. Cash is
# forecast too high by five rents. From the 29th or 30th, only February is missing.
#
# Output seen on 2026-12-01:
#   from 15 January, 0 errors: Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
#   from 29 January, 0 errors: Jan Mar Apr May Jun Jul Aug Sep Oct Nov Dec
#   from 31 January, 0 errors: Jan Mar May Jul Aug Oct Dec
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-beancount=2.3.5-2+b1 python3-dateutil=2.8.2-2 python3-six=1.16.0-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PYTHONPATH="$folder/usr/lib/python3/dist-packages"

seen=$(TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from beancount import loader
for day in [15, 29, 31]:
    entries, errors, _ = loader.load_string(f"""
plugin "beancount.plugins.forecast"
2026-01-01 open Assets:Bank
2026-01-01 open Expenses:Rent
2026-01-{day} # "Rent [MONTHLY UNTIL 2026-12-31]"
  Expenses:Rent  2000 USD
  Assets:Bank
""")
    due = [entry.date.strftime("%b") for entry in entries if hasattr(entry, "narration")]
    print(f"from {day} January, {len(errors)} errors: {' '.join(due)}")
END
)

expected=$(cat <<'END'
from 15 January, 0 errors: Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
from 29 January, 0 errors: Jan Mar Apr May Jun Jul Aug Sep Oct Nov Dec
from 31 January, 0 errors: Jan Mar May Jul Aug Oct Dec
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
