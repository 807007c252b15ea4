#!/usr/bin/env bash
# python3-parsedatetime 2.6-3 (Debian): the day after tomorrow is tomorrow, and half an hour is an hour.
# Guess: what is said in plain English is read in full, or not at all.
# So: the words that are not known are passed over, and the rest is read with the same sign of certainty. A client who
# asks for the day after tomorrow is offered the day before.
#
# Output seen on 2026-11-29:
#   tomorrow: 01 December 09:00, kind 1
#   the day after tomorrow: 01 December 09:00, kind 1
#   in an hour: 30 November 13:00, kind 2
#   in half an hour: 30 November 13:00, kind 2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-parsedatetime=2.6-3 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from datetime import datetime
import parsedatetime
now = datetime(2026, 11, 30, 12)
for text in ("tomorrow", "the day after tomorrow", "in an hour", "in half an hour"):
    time, kind = parsedatetime.Calendar().parseDT(text, now)
    print(f"{text}: {time:%d %B %H:%M}, kind {kind}")
END
)

expected=$(cat <<'END'
tomorrow: 01 December 09:00, kind 1
the day after tomorrow: 01 December 09:00, kind 1
in an hour: 30 November 13:00, kind 2
in half an hour: 30 November 13:00, kind 2
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
