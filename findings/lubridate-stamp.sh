#!/usr/bin/env bash
# r-cran-lubridate 1.9.2+dfsg-1 (Debian): an invitation names the wrong day and hour.
# Guess: `stamp("Tuesday, Dec 1 at 2:30 PM")` makes a function that writes another time in that form, as its
# documentation promises of human-friendly templates, or fails.
# So: where the example has no year, its numbers become the month, the day and the year, and its name of a month and its
# PM stay as they are. A consult on Friday, 5 March 2027 at 10:30 becomes Friday, Dec 03 at 05:27 PM. With a year in the
# example, it is right. A message names the format that is taken, unless `quiet` is set.
#
# Output seen on 2026-12-01:
#   Tuesday, Dec 1, 2026 at 2:30 PM: Friday, Mar 05, 2027 at 10:30 AM
#   Tuesday, Dec 1 at 2:30 PM: Friday, Dec 03 at 05:27 PM
#   2:30 PM: 03:27 PM
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq r-cran-lubridate=1.9.2+dfsg-1 r-cran-timechange=0.2.0-1 r-cran-generics=0.1.3-1 \
  r-base-core=4.2.2.20221110-2 libblas3 liblapack3 libgfortran5 libpaper1 libtirpc3 libtcl8.6 libtk8.6 libicu72 \
  2>/dev/null || { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
libraries=$(echo "$folder"/usr/lib/*-linux-gnu)
export R_HOME="$folder/usr/lib/R" R_LIBS="$folder/usr/lib/R/site-library" EDITOR=vi PAGER=cat
export LD_LIBRARY_PATH="$R_HOME/lib:$libraries:$libraries/blas:$libraries/lapack"

seen=$(LC_ALL=C TZ=UTC "$R_HOME/bin/exec/R" --vanilla --no-echo -f /dev/stdin <<'END' 2>/dev/null | grep -v Renviron
suppressMessages(library(lubridate))
consult <- ymd_hm("2027-03-05 10:30")
for (example in c("Tuesday, Dec 1, 2026 at 2:30 PM", "Tuesday, Dec 1 at 2:30 PM", "2:30 PM")) {
  cat(example, ": ", stamp(example, quiet = TRUE)(consult), "\n", sep = "")
}
END
)

expected=$(cat <<'END'
Tuesday, Dec 1, 2026 at 2:30 PM: Friday, Mar 05, 2027 at 10:30 AM
Tuesday, Dec 1 at 2:30 PM: Friday, Dec 03 at 05:27 PM
2:30 PM: 03:27 PM
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
