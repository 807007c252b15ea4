#!/usr/bin/env bash
# time-slots-generator 1.0.6: an appointment within a slot leaves the slot free.
# Guess: a slot that overlaps with a blocked time is removed. The README says to block where an appointment is
# already booked.
# So: only a slot whose start lies in the blocked time is removed. With an appointment from 9:15 to 9:45, the
# hour from 9:00 stays on offer. It is booked twice.
#
# Output seen on 2026-11-29:
#   taken from 9:00 to 9:45: the hour from 9:00 is taken
#   taken from 9:15 to 9:45: the hour from 9:00 is free
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts time-slots-generator@1.0.6

seen=$(node --input-type=module - <<'END'
import { getTimeSlots } from "time-slots-generator";
for (const [from, to] of [["9:00", "9:45"], ["9:15", "9:45"]]) {
  const minutes = (time) => time.split(":").reduce((hours, rest) => Number(hours) * 60 + Number(rest));
  const slots = Object.values(getTimeSlots([[minutes(from), minutes(to)]], true, "one"));
  console.log(`taken from ${from} to ${to}: the hour from 9:00 is ${slots.includes("9:00") ? "free" : "taken"}`);
}
END
)

expected=$(cat <<'END'
taken from 9:00 to 9:45: the hour from 9:00 is taken
taken from 9:15 to 9:45: the hour from 9:00 is free
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
