#!/usr/bin/env bash
# gnumeric 1.12.55-1 (Debian): a first payment at the beginning of a loan has interest in it.
# Guess: where payments are made at the beginning of each period (type 1), the first is made when no time has
# passed, so that all of it is principal. The interest of the first period by CUMIPMT is the same as by IPMT.
# So: IPMT finds an interest of 4.98 in it, and PPMT takes that off the principal, while CUMIPMT finds none.
# The description of the functions says nothing of it. A plan of payments by IPMT begins with a wrong split,
# and its sum is not that of CUMIPMT.
#
# Output seen on 2026-12-01:
#   -102.3 =ROUND(PMT(0.05/12,12,1200,0,1),2)
#   -4.98 =ROUND(IPMT(0.05/12,1,12,1200,0,1),2)
#   0 =ROUND(CUMIPMT(0.05/12,12,1200,1,1,1),2)
#   -97.32 =ROUND(PPMT(0.05/12,1,12,1200,0,1),2)
#   -102.3 =ROUND(CUMPRINC(0.05/12,12,1200,1,1,1),2)
#   -4.57 =ROUND(IPMT(0.05/12,2,12,1200,0,1),2)
#   -4.57 =ROUND(CUMIPMT(0.05/12,12,1200,2,2,1),2)
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
ROUND(PMT(0.05/12,12,1200,0,1),2)
ROUND(IPMT(0.05/12,1,12,1200,0,1),2)
ROUND(CUMIPMT(0.05/12,12,1200,1,1,1),2)
ROUND(PPMT(0.05/12,1,12,1200,0,1),2)
ROUND(CUMPRINC(0.05/12,12,1200,1,1,1),2)
ROUND(IPMT(0.05/12,2,12,1200,0,1),2)
ROUND(CUMIPMT(0.05/12,12,1200,2,2,1),2)
END
)

expected=$(cat <<'END'
-102.3 =ROUND(PMT(0.05/12,12,1200,0,1),2)
-4.98 =ROUND(IPMT(0.05/12,1,12,1200,0,1),2)
0 =ROUND(CUMIPMT(0.05/12,12,1200,1,1,1),2)
-97.32 =ROUND(PPMT(0.05/12,1,12,1200,0,1),2)
-102.3 =ROUND(CUMPRINC(0.05/12,12,1200,1,1,1),2)
-4.57 =ROUND(IPMT(0.05/12,2,12,1200,0,1),2)
-4.57 =ROUND(CUMIPMT(0.05/12,12,1200,2,2,1),2)
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
