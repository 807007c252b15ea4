#!/usr/bin/env bash
# rrule 2.8.1: a rule that starts on a date starts today.
# Guess: `DTSTART;VALUE=DATE` (RFC 5545, sections 3.3.4 and 3.8.2.4) is midnight of that date, or an error.
# So: the line is passed over without an error, and the rule starts at the moment it is read. Without
# `VALUE=DATE` the same date is taken.
#
# Output seen on 2026-11-29:
#   DTSTART:20300107: 2030-01-07T00:00:00.000Z
#   DTSTART;VALUE=DATE:20300107: now
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule@2.8.1

seen=$(node --input-type=module - <<'END'
import rrule from "rrule";
for (const start of ["DTSTART:20300107", "DTSTART;VALUE=DATE:20300107"]) {
  const [first] = rrule.rrulestr(`${start}\nRRULE:FREQ=DAILY;COUNT=3`).all();
  const isNow = Math.abs(first.getTime() - Date.now()) < 60_000;
  console.log(`${start}: ${isNow ? "now" : first.toISOString()}`);
}
END
)

expected=$(cat <<'END'
DTSTART:20300107: 2030-01-07T00:00:00.000Z
DTSTART;VALUE=DATE:20300107: now
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
