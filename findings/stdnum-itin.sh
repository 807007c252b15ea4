#!/usr/bin/env bash
# python3-stdnum 1.18-1 (Debian): a taxpayer number from 50 to 65 is refused.
# Guess: the fourth and fifth digits of an ITIN are 50 to 65, 70 to 88, 90 to 92 or 94 to 99, as the IRS says
# (Internal Revenue Manual, 3.21.263). A number that is assigned today is valid.
# So: the range from 50 to 65 is missing. A client who has such a number is told that it is wrong.
#
# Output seen on 2026-11-29:
#   valid: 70 to 88, 90 to 92, 94 to 99
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-stdnum=1.18-1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from stdnum.us import itin
def ranges(groups):
    found = []
    for group in groups:
        if found and found[-1][1] == group - 1:
            found[-1][1] = group
        else:
            found.append([group, group])
    return ", ".join(f"{first} to {last}" for first, last in found)
print("valid:", ranges([group for group in range(100) if itin.is_valid(f"900-{group:02}-0000")]))
END
)

expected=$(cat <<'END'
valid: 70 to 88, 90 to 92, 94 to 99
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
