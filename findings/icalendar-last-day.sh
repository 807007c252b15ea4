#!/usr/bin/env bash
# icalendar 0.7.1: the last day of February is the 27th.
# Guess: `BYMONTHDAY=-1` is the last day of each month (RFC 5545, section 3.3.10). The README does not list it
# among what is not implemented.
# So: only the first date is the last day of its month. A reminder for the end of the month comes on 27
# February, 1 March and 30 March.
#
# Output seen on 2026-11-29:
#   2026-01-31 2026-02-27 2026-03-01 2026-03-30
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts icalendar@0.7.1

seen=$(node --input-type=module - <<'END'
import icalendar from "icalendar";
process.env.TZ = "UTC";
const calendar = icalendar.parse_calendar(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT",
  "UID:1", "DTSTAMP:20251201T000000Z", "DTSTART:20260131T150000Z",
  "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4", "END:VEVENT", "END:VCALENDAR", ""].join("\r\n"));
const rule = calendar.events()[0].rrule();
const dates = [];
for (let date = rule.next(new Date("2026-01-01")); date; date = rule.next(date))
  dates.push(date.toLocaleDateString("sv"));
console.log(dates.join(" "));
END
)

expected=$(cat <<'END'
2026-01-31 2026-02-27 2026-03-01 2026-03-30
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
