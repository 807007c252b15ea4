#!/usr/bin/env bash
# luxon 3.7.2: the instant of a wall time in the repeated autumn hour depends on the day on which the code
# runs.
# Guess: one text in one zone is always one instant, and a library documents which of the two it takes.
# So: luxon first tries the offset that the zone has at this moment. A program that runs in winter reads the
# second 01:30, the same program in summer reads the first. A booking that was tested in one season moves by
# an hour in the other.
#
# Output seen on 2026-11-28:
#   run on 2027-01-15: 2027-11-07T01:30:00.000-05:00
#   run on 2027-07-15: 2027-11-07T01:30:00.000-04:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts luxon@3.7.2

seen=$(node --input-type=module - <<'END'
import { DateTime, Settings } from "luxon";
const zone = "America/New_York";
for (const today of ["2027-01-15", "2027-07-15"]) {
  Settings.now = () => Date.parse(today);
  console.log(`run on ${today}: ${DateTime.fromISO("2027-11-07T01:30", { zone }).toISO()}`);
}
END
)

expected=$(cat <<'END'
run on 2027-01-15: 2027-11-07T01:30:00.000-05:00
run on 2027-07-15: 2027-11-07T01:30:00.000-04:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
