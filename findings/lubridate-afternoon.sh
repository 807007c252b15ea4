#!/usr/bin/env bash
# r-cran-lubridate 1.9.2+dfsg-1 (Debian): 2:30 p.m. is half past two at night.
# Guess: `mdy_hm` reads 2:30 p.m. as it reads 2:30 PM, or gives NA with a warning. The documentation says that
# it correctly handles times that are written in several ways.
# So: like other words in a text, `p.m.` and `p` are passed over without a warning, and the time is twelve
# hours early. `p.m.` is how most US newspapers and many offices write. A list of consults that mixes both has
# some of its afternoons at night.
#
# Output seen on 2026-12-01:
#   12/01/2026 2:30 PM: 14:30
#   12/01/2026 2:30 pm: 14:30
#   12/01/2026 2:30 p.m.: 02:30
#   12/01/2026 2:30 P.M.: 02:30
#   12/01/2026 2:30p: 02:30
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
for (text in c("2:30 PM", "2:30 pm", "2:30 p.m.", "2:30 P.M.", "2:30p")) {
  cat("12/01/2026 ", text, ": ", format(mdy_hm(paste("12/01/2026", text)), "%H:%M"), "\n", sep = "")
}
END
)

expected=$(cat <<'END'
12/01/2026 2:30 PM: 14:30
12/01/2026 2:30 pm: 14:30
12/01/2026 2:30 p.m.: 02:30
12/01/2026 2:30 P.M.: 02:30
12/01/2026 2:30p: 02:30
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
