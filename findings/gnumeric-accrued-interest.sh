#!/usr/bin/env bash
# gnumeric 1.12.55-1 (Debian): interest that accrued since the issue of a bond is counted from the first
# coupon.
# Guess: ACCRINT with TRUE, which is the default, is the interest from the issue to the settlement, and with
# FALSE that from the first interest date, as its description in the program says. At 6% of 1,000, nine months
# are 45 and six months are 30.
# So: it is 30 both ways. Where the first coupon is before the settlement, the last argument has no effect,
# and the months before that coupon are left out. Without such a coupon, three months are 15, which is right.
#
# Output seen on 2026-12-01:
#   15 =ACCRINT(DATE(2026,1,1),DATE(2026,7,1),DATE(2026,4,1),0.06,1000,2,0,TRUE)
#   30 =ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0)
#   30 =ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0,TRUE)
#   30 =ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0,FALSE)
#   45 =1000*0.06*YEARFRAC(DATE(2026,1,1),DATE(2026,10,1),0)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=gnumeric
needed=$(apt-get install --simulate --no-install-recommends $package | awk '/^Inst/ { print $2 }' | grep -vx $package)
apt-get download -qq $package=1.12.55-1 $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH="$folder/usr/lib:$(echo "$folder"/usr/lib/*-linux-gnu)"
export GNUMERIC_PLUGIN_PATH="$folder/usr/lib/gnumeric/1.12.55/plugins" HOME="$folder"

seen=$({ sed 's/.*/"=&"/' >formulas.csv
  TZ=UTC usr/bin/ssconvert -T Gnumeric_stf:stf_csv formulas.csv values.csv 2>/dev/null
  paste -d ' ' values.csv formulas.csv | tr -d '"'; } <<'END'
ACCRINT(DATE(2026,1,1),DATE(2026,7,1),DATE(2026,4,1),0.06,1000,2,0,TRUE)
ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0)
ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0,TRUE)
ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0,FALSE)
1000*0.06*YEARFRAC(DATE(2026,1,1),DATE(2026,10,1),0)
END
)

expected=$(cat <<'END'
15 =ACCRINT(DATE(2026,1,1),DATE(2026,7,1),DATE(2026,4,1),0.06,1000,2,0,TRUE)
30 =ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0)
30 =ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0,TRUE)
30 =ACCRINT(DATE(2026,1,1),DATE(2026,4,1),DATE(2026,10,1),0.06,1000,2,0,FALSE)
45 =1000*0.06*YEARFRAC(DATE(2026,1,1),DATE(2026,10,1),0)
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
