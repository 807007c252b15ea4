#!/usr/bin/env bash
# time-slots-finder 0.5.5: who is away all day is free all day.
# Guess: an event takes its time from what can be booked. Its days may be dates (`DTSTART;VALUE=DATE`), and
# its end may be told by DURATION (RFC 5545, section 3.6.1). The README says that the iCal format is handled.
# So: the end is looked for as `DTEND` alone, or as `DTEND` with the zone of the start. An event that has
# neither is left out, without an error. Clients book into holidays. (Newer releases of ical2json than 3.0.0
# cannot be called by it. The dates are far off, since the finder offers no time that is past.)
#
# Output seen on 2026-11-29:
#   DTSTART:20900102T150000Z, DTEND:20900102T153000Z: taken
#   DTSTART:20900102T150000Z, DURATION:PT30M: free
#   DTSTART;VALUE=DATE:20900102, DTEND;VALUE=DATE:20900103: free
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
const configuration = {
  timeZone: "America/New_York", timeSlotDuration: 30,
  availablePeriods: [1, 2, 3, 4, 5].map((isoWeekDay) => ({ isoWeekDay, shifts })),
};
for (const lines of [
  ["DTSTART:20900102T150000Z", "DTEND:20900102T153000Z"],
  ["DTSTART:20900102T150000Z", "DURATION:PT30M"],
  ["DTSTART;VALUE=DATE:20900102", "DTEND;VALUE=DATE:20900103"],
]) {
  const slots = finder.getAvailableTimeSlotsInCalendar({
    configuration, calendarFormat: "iCal", from: new Date("2090-01-02T05:00Z"), to: new Date("2090-01-03T05:00Z"),
    calendarData: ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1",
      "DTSTAMP:20261101T000000Z", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n"),
  });
  console.log(`${lines.join(", ")}: ${slots.length === 0 ? "taken" : "free"}`);
}
END
)

expected=$(cat <<'END'
DTSTART:20900102T150000Z, DTEND:20900102T153000Z: taken
DTSTART:20900102T150000Z, DURATION:PT30M: free
DTSTART;VALUE=DATE:20900102, DTEND;VALUE=DATE:20900103: free
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
