#!/usr/bin/env bash
# datebook 8.0.1: an appointment leaves its time free.
# Guess: an event that is given a start and an end takes up that time, as an event without TRANSP does (RFC
# 5545, section 3.8.2.7).
# So: each is written as `TRANSP:TRANSPARENT`, which is for what does not count when someone looks for a free
# time. Who adds the consult to a calendar that is shared for booking can be booked a second time at the same
# hour.
#
# Output seen on 2026-11-29:
#   dtstart: 2026-12-01T19:00:00Z
#   transp: TRANSPARENT
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts datebook@8.0.1 ical.js@2.2.1

seen=$(node --input-type=module - <<'END'
import { ICalendar } from "datebook";
import ICAL from "ical.js";
const text = new ICalendar({
  title: "Consult", start: new Date("2026-12-01T19:00:00Z"), end: new Date("2026-12-01T19:30:00Z"),
}).render();
const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
for (const name of ["dtstart", "transp"]) console.log(`${name}: ${event.getFirstPropertyValue(name)}`);
END
)

expected=$(cat <<'END'
dtstart: 2026-12-01T19:00:00Z
transp: TRANSPARENT
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
