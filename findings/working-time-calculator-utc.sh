#!/usr/bin/env bash
# working-time-calculator 0.0.2: in New York, Sunday is a working day and Friday is none.
# Guess: the weekdays are those of the zone that `addWorkingHours` was given. One instant gives one answer,
# whatever offset it is written with.
# So: the weekdays are those of the offset of the start. Nine in the evening in New York is the next day in
# UTC. From such a start on, each day in New York has the weekday of the day after it. Over a weekend eight
# hours are too many, and over a Friday eight are missing.
#
# Output seen on 2026-11-29:
#   2026-12-04T21:00:00-05:00 to 2026-12-07T12:00:00-05:00: 3 hours
#   2026-12-05T02:00:00Z to 2026-12-07T12:00:00-05:00: 11 hours
#   2026-12-07T21:00:00-05:00 to 2026-12-12T12:00:00-05:00: 32 hours
#   2026-12-08T02:00:00Z to 2026-12-12T12:00:00-05:00: 24 hours
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts working-time-calculator@0.0.2

seen=$(node --input-type=module - <<'END'
import Calculator from "working-time-calculator";
for (const [start, end] of [
  ["2026-12-04T21:00:00-05:00", "2026-12-07T12:00:00-05:00"],
  ["2026-12-05T02:00:00Z", "2026-12-07T12:00:00-05:00"],
  ["2026-12-07T21:00:00-05:00", "2026-12-12T12:00:00-05:00"],
  ["2026-12-08T02:00:00Z", "2026-12-12T12:00:00-05:00"],
]) {
  const calculator = new Calculator();
  calculator.addWorkingHours(Calculator.WEEKDAYS, "09:00", "17:00", "America/New_York");
  console.log(`${start} to ${end}: ${calculator.calcHoursBetween(start, end)} hours`);
}
END
)

expected=$(cat <<'END'
2026-12-04T21:00:00-05:00 to 2026-12-07T12:00:00-05:00: 3 hours
2026-12-05T02:00:00Z to 2026-12-07T12:00:00-05:00: 11 hours
2026-12-07T21:00:00-05:00 to 2026-12-12T12:00:00-05:00: 32 hours
2026-12-08T02:00:00Z to 2026-12-12T12:00:00-05:00: 24 hours
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
