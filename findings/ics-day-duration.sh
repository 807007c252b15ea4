#!/usr/bin/env bash
# ics 3.12.0: the duration of a day or a week is written in a form that iCalendar does not have.
# Guess: `duration: { days: 1 }` becomes `P1D`.
# So: it becomes `P1DT`, and a week becomes `P1WT`. After `T` there has to be a time (RFC 5545, section
# 3.3.6), so that a strict reader refuses the whole file.
#
# Output seen on 2026-11-29:
#   {"minutes":30}: DURATION:PT30M
#   {"days":1}: DURATION:P1DT
#   {"weeks":1}: DURATION:P1WT
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ics@3.12.0

seen=$(node --input-type=module - <<'END'
import ics from "ics";
for (const duration of [{ minutes: 30 }, { days: 1 }, { weeks: 1 }]) {
  const { error, value } = ics.createEvent({ start: [2026, 12, 1], title: "Closed", duration });
  console.log(`${JSON.stringify(duration)}: ${error ?? /^DURATION:.*$/m.exec(value)[0].trim()}`);
}
END
)

expected=$(cat <<'END'
{"minutes":30}: DURATION:PT30M
{"days":1}: DURATION:P1DT
{"weeks":1}: DURATION:P1WT
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
