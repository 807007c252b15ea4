#!/usr/bin/env bash
# ical.js 2.2.1: what is repeated each year on 29 February takes place on 1 March in other years.
# Guess: a rule leaves out a date that does not exist, as RFC 5545 (section 3.3.10) demands of invalid dates.
# So: with `FREQ=YEARLY` alone the date is moved into March. It is left out where the same is said with
# `BYMONTH` and `BYMONTHDAY`, or as every twelfth month.
#
# Output seen on 2026-11-29:
#   FREQ=MONTHLY;INTERVAL=12;COUNT=3: 2024-02-29 2028-02-29 2032-02-29
#   FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3: 2024-02-29 2028-02-29 2032-02-29
#   FREQ=YEARLY;COUNT=3: 2024-02-29 2025-03-01 2026-03-01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical.js@2.2.1

seen=$(node --input-type=module - <<'END'
import ICAL from "ical.js";
for (const rule of [
  "FREQ=MONTHLY;INTERVAL=12;COUNT=3",
  "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3",
  "FREQ=YEARLY;COUNT=3",
]) {
  const times = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString("2024-02-29"));
  const dates = [];
  for (let date = times.next(); date; date = times.next()) dates.push(date.toString());
  console.log(`${rule}: ${dates.join(" ")}`);
}
END
)

expected=$(cat <<'END'
FREQ=MONTHLY;INTERVAL=12;COUNT=3: 2024-02-29 2028-02-29 2032-02-29
FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3: 2024-02-29 2028-02-29 2032-02-29
FREQ=YEARLY;COUNT=3: 2024-02-29 2025-03-01 2026-03-01
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
