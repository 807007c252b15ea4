#!/usr/bin/env bash
# moment-business-time 2.0.0: with a lunch break, the morning from nine to eleven has no length.
# Guess: `workingDiff` counts working time only, and the documentation has a lunch break as an example of
# working hours. From nine to eleven are two hours, with a break at twelve or without.
# So: the time from the end to the opening after the break is subtracted: half an hour is minus three hours.
# Only what ends after the break is right. It is known: issue 42 is open.
#
# Output seen on 2026-11-30:
#   open 09:00-17:00: from 09:00 to 11:00 are 120 minutes
#   open 09:00-17:00: from 09:00 to 09:30 are 30 minutes
#   open 09:00-17:00: from 10:00 to 14:00 are 240 minutes
#   open 09:00-12:00-13:00-17:00: from 09:00 to 11:00 are 0 minutes
#   open 09:00-12:00-13:00-17:00: from 09:00 to 09:30 are -180 minutes
#   open 09:00-12:00-13:00-17:00: from 10:00 to 14:00 are 180 minutes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts moment-business-time@2.0.0 moment@2.31.0

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const moment = require("moment");
require("moment-business-time");
const minutes = (start, end) =>
  moment(`2026-12-01T${end}`).workingDiff(moment(`2026-12-01T${start}`), "minutes");
for (const day of [["09:00", "17:00"], ["09:00", "12:00", "13:00", "17:00"]]) {
  moment.updateLocale("en", { workinghours: { 0: null, 1: day, 2: day, 3: day, 4: day, 5: day, 6: null } });
  for (const [start, end] of [["09:00", "11:00"], ["09:00", "09:30"], ["10:00", "14:00"]]) {
    console.log(`open ${day.join("-")}: from ${start} to ${end} are ${minutes(start, end)} minutes`);
  }
}
END
)

expected=$(cat <<'END'
open 09:00-17:00: from 09:00 to 11:00 are 120 minutes
open 09:00-17:00: from 09:00 to 09:30 are 30 minutes
open 09:00-17:00: from 10:00 to 14:00 are 240 minutes
open 09:00-12:00-13:00-17:00: from 09:00 to 11:00 are 0 minutes
open 09:00-12:00-13:00-17:00: from 09:00 to 09:30 are -180 minutes
open 09:00-12:00-13:00-17:00: from 10:00 to 14:00 are 180 minutes
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
