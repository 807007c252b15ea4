#!/usr/bin/env bash
# xlsx2csv 0.7.8-1 (Debian): an amount that is shown as 1234.50 USD is lost.
# Guess: a number is written as it is, or as the sheet shows it. The documentation has options for the formats
# of dates and of numbers.
# So: a format is taken for that of a date if it has one of the letters D, H, M, S or Y, also within quotes:
# of `0.00" USD"`, what is written is the format, and the amount is nowhere in the file. Nothing warns. The
# formats of dollars that spreadsheets offer, and negative amounts, are right. `--ignore-formats date` helps.
#
# Output seen on 2026-12-01:
#   General	1234.5
#   0.00	1234.50
#   """$""#,##0.00"	1234.5
#   "0.00"" USD"""	"0.00"" us18"""
#   "#,##0.00 ""dollars"""	"#,##0.00 ""18ollars"""
#   "0.0"" h"""	"0.0"" 12"""
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq xlsx2csv=1:0.7.8-1 python3-openpyxl=3.0.9-1 python3-et-xmlfile python3-jdcal 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PYTHONPATH="$folder/usr/lib/python3/dist-packages"

seen=$(TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import subprocess
from openpyxl import Workbook
book = Workbook()
sheet = book.active
for shown in ["General", "0.00", '"$"#,##0.00', '0.00" USD"', '#,##0.00 "dollars"', '0.0" h"']:
    sheet.append([shown, 1234.5])
    sheet.cell(sheet.max_row, 2).number_format = shown
book.save("fees.xlsx")
print(subprocess.run(["usr/bin/xlsx2csv", "--delimiter", "tab", "fees.xlsx"], capture_output=True, text=True).stdout)
END
)

expected=$(cat <<'END'
General	1234.5
0.00	1234.50
"""$""#,##0.00"	1234.5
"0.00"" USD"""	"0.00"" us18"""
"#,##0.00 ""dollars"""	"#,##0.00 ""18ollars"""
"0.0"" h"""	"0.0"" 12"""
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
