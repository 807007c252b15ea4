#!/usr/bin/env bash
# time-slots-finder 0.5.5: of what takes place each week, only the first week is taken.
# Guess: a repeated event takes its time on each of its dates (RFC 5545, section 3.8.5.3). The README says
# that the iCal format is handled.
# So: RRULE is not read, and there is no error. From its second week on, clients book into the weekly meeting.
# (The dates are far off, since the finder offers no time that is past.)
#
# Output seen on 2026-11-29:
#   free: 2090-01-09T15:00:00.000Z, 2090-01-16T15:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts time-slots-finder@0.5.5 ical2json@3.0.0

seen=$(node --input-type=module - <<'END'
import finder from "time-slots-finder";
process.env.TZ = "UTC";
const shifts = [{ startTime: "10:00", endTime: "10:30" }];
const slots = finder.getAvailableTimeSlotsInCalendar({
  configuration: {
    timeZone: "America/New_York", timeSlotDuration: 30, availablePeriods: [{ isoWeekDay: 1, shifts }],
  },
  calendarFormat: "iCal", from: new Date("2090-01-02T05:00Z"), to: new Date("2090-01-23T05:00Z"),
  calendarData: ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1",
    "DTSTAMP:20261101T000000Z", "DTSTART:20900102T150000Z", "DTEND:20900102T153000Z", "RRULE:FREQ=WEEKLY;COUNT=3",
    "END:VEVENT", "END:VCALENDAR", ""].join("\r\n"),
});
console.log(`free: ${slots.map(({ startAt }) => startAt.toISOString()).join(", ")}`);
END
)

expected=$(cat <<'END'
free: 2090-01-09T15:00:00.000Z, 2090-01-16T15:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
