#!/usr/bin/env bash
# r-cran-timedate 4022.108-1 (Debian): of 12/01/2026 10:30 the time is lost.
# Guess: `timeDate("12/01/2026 10:30")` is half past ten, as of 2026-12-01 10:30, or NA with a warning, as it
# is for what cannot be read. The documentation says that ISO and American formats are detected.
# So: month, day and year are read, and what follows is passed over without a warning: it is midnight, also
# with AM or PM. All consults of a day are at one time.
#
# Output seen on 2026-12-01:
#   2026-12-01 10:30: 2026-12-01 10:30
#   12/01/2026 10:30: 2026-12-01 00:00
#   12/01/2026 10:30 PM: 2026-12-01 00:00
#   1 December 2026 10:30: NA
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq r-cran-timedate=4022.108-1 \
  r-base-core=4.2.2.20221110-2 libblas3 liblapack3 libgfortran5 libpaper1 libtirpc3 libtcl8.6 libtk8.6 libicu72 \
  2>/dev/null || { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
libraries=$(echo "$folder"/usr/lib/*-linux-gnu)
export R_HOME="$folder/usr/lib/R" R_LIBS="$folder/usr/lib/R/site-library" EDITOR=vi PAGER=cat
export LD_LIBRARY_PATH="$R_HOME/lib:$libraries:$libraries/blas:$libraries/lapack"

seen=$(LC_ALL=C TZ=UTC "$R_HOME/bin/exec/R" --vanilla --no-echo -f /dev/stdin <<'END' 2>/dev/null | grep -v Renviron
library(timeDate)
for (text in c("2026-12-01 10:30", "12/01/2026 10:30", "12/01/2026 10:30 PM", "1 December 2026 10:30")) {
  cat(text, ": ", format(as.POSIXct(timeDate(text)), "%Y-%m-%d %H:%M"), "\n", sep = "")
}
END
)

expected=$(cat <<'END'
2026-12-01 10:30: 2026-12-01 10:30
12/01/2026 10:30: 2026-12-01 00:00
12/01/2026 10:30 PM: 2026-12-01 00:00
1 December 2026 10:30: NA
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
