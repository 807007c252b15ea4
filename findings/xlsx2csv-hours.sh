#!/usr/bin/env bash
# xlsx2csv 0.7.8-1 (Debian): twenty-five and a half hours become one and a half.
# Guess: a sum of hours in the format `[h]:mm:ss`, which spreadsheets offer for more than a day, is written
# 25:30:00, or as the number of days, 1.0625.
# So: the days are left out: it is written 01:30. `[h]:mm` gives the number of days, so that two columns of
# one time sheet have two units. The bill lacks a day of work.
#
# Output seen on 2026-12-01:
#   1.5 hours,[h]:mm:ss,01:30
#   1.5 hours,[h]:mm,0.0625
#   25.5 hours,[h]:mm:ss,01:30
#   25.5 hours,[h]:mm,1.0625
#   49.5 hours,[h]:mm:ss,01:30
#   49.5 hours,[h]:mm,2.0625
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
for hours in [1.5, 25.5, 49.5]:
    for shown in ["[h]:mm:ss", "[h]:mm"]:
        sheet.append([f"{hours} hours", shown, hours / 24])
        sheet.cell(sheet.max_row, 3).number_format = shown
book.save("hours.xlsx")
print(subprocess.run(["usr/bin/xlsx2csv", "hours.xlsx"], capture_output=True, text=True).stdout)
END
)

expected=$(cat <<'END'
1.5 hours,[h]:mm:ss,01:30
1.5 hours,[h]:mm,0.0625
25.5 hours,[h]:mm:ss,01:30
25.5 hours,[h]:mm,1.0625
49.5 hours,[h]:mm:ss,01:30
49.5 hours,[h]:mm,2.0625
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
