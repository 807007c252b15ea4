#!/usr/bin/env bash
# dateutils 0.4.10-1 (Debian): from 31 January to 1 March are one month and 62 days.
# Guess: `ddiff -f "%m months %d days"` gives the months, and then the days that are left. By the refinement
# rule of its manual, the days are in their natural range. `dadd` has a month after 31 January end on 28
# February.
# So: at the end of February, where the rest would be below zero, 63 or 62 days are written. An age, the time
# that is left of a deadline, or the interest of a broken month is two months off. `%d` alone is right.
#
# Output seen on 2026-12-01:
#   2026-01-15 2026-03-01: 0 years 1 months 14 days, 45 days in all
#   2026-01-29 2026-03-01: 0 years 1 months 0 days, 31 days in all
#   2026-01-30 2026-03-01: 0 years 1 months 63 days, 30 days in all
#   2026-01-31 2026-03-01: 0 years 1 months 62 days, 29 days in all
#   2025-12-31 2026-03-01: 0 years 2 months 62 days, 60 days in all
#   1975-12-31 2026-03-01: 50 years 2 months 62 days, 18323 days in all
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq dateutils=0.4.10-1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(for dates in "2026-01-15 2026-03-01" "2026-01-29 2026-03-01" "2026-01-30 2026-03-01" "2026-01-31 2026-03-01" \
  "2025-12-31 2026-03-01" "1975-12-31 2026-03-01"; do
  echo "$dates: $(usr/bin/dateutils.ddiff $dates -f "%Y years %m months %d days"), $(usr/bin/dateutils.ddiff $dates)" \
    "days in all"
done)

expected=$(cat <<'END'
2026-01-15 2026-03-01: 0 years 1 months 14 days, 45 days in all
2026-01-29 2026-03-01: 0 years 1 months 0 days, 31 days in all
2026-01-30 2026-03-01: 0 years 1 months 63 days, 30 days in all
2026-01-31 2026-03-01: 0 years 1 months 62 days, 29 days in all
2025-12-31 2026-03-01: 0 years 2 months 62 days, 60 days in all
1975-12-31 2026-03-01: 50 years 2 months 62 days, 18323 days in all
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
