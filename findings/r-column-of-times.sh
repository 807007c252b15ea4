#!/usr/bin/env bash
# r-base-core 4.2.2.20221110-2 (Debian): one date without a time takes the times from all others.
# Guess: of a column of times, `as.POSIXct` reads all of each entry, or fails. Its documentation has dates
# that are optionally followed by a time, and an error where no standard format works for all entries.
# So: a format works for an entry that it reads only a part of. Where a single entry is a date, the format
# without a time is taken for the whole column: each consult of the list is at midnight, without a warning. A
# missing value does no harm, and seconds in some of the entries are lost in the same way.
#
# Output seen on 2026-12-01:
#   2026-12-01 10:00, 2026-12-02 14:30, NA:
#     2026-12-01 10:00:00
#     2026-12-02 14:30:00
#     NA
#   2026-12-01 10:00, 2026-12-02 14:30, 2026-12-03:
#     2026-12-01
#     2026-12-02
#     2026-12-03
#   2026-12-01 10:00:30, 2026-12-02 14:30:
#     2026-12-01 10:00:00
#     2026-12-02 14:30:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq \
  r-base-core=4.2.2.20221110-2 libblas3 liblapack3 libgfortran5 libpaper1 libtirpc3 libtcl8.6 libtk8.6 libicu72 \
  2>/dev/null || { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
libraries=$(echo "$folder"/usr/lib/*-linux-gnu)
export R_HOME="$folder/usr/lib/R" R_LIBS="$folder/usr/lib/R/site-library" EDITOR=vi PAGER=cat
export LD_LIBRARY_PATH="$R_HOME/lib:$libraries:$libraries/blas:$libraries/lapack"

seen=$(LC_ALL=C TZ=America/New_York "$R_HOME/bin/exec/R" --vanilla --no-echo -f /dev/stdin <<'END' 2>/dev/null |
for (column in list(
  c("2026-12-01 10:00", "2026-12-02 14:30", NA),
  c("2026-12-01 10:00", "2026-12-02 14:30", "2026-12-03"),
  c("2026-12-01 10:00:30", "2026-12-02 14:30")
)) {
  cat(column, sep = ", ")
  cat(":", paste("\n ", format(as.POSIXct(column))), "\n", sep = "")
}
END
  grep -v Renviron)

expected=$(cat <<'END'
2026-12-01 10:00, 2026-12-02 14:30, NA:
  2026-12-01 10:00:00
  2026-12-02 14:30:00
  NA
2026-12-01 10:00, 2026-12-02 14:30, 2026-12-03:
  2026-12-01
  2026-12-02
  2026-12-03
2026-12-01 10:00:30, 2026-12-02 14:30:
  2026-12-01 10:00:00
  2026-12-02 14:30:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
