#!/usr/bin/env bash
# ical-toolkit 1.0.9: a weekly consult at ten in New York is at eleven after the clocks change.
# Guess: what is repeated keeps its clock time, for DTSTART has the local time with TZID: that is the form for
# a time in a zone (RFC 5545, section 3.3.5), and a rule takes its time from DTSTART (section 3.3.10). The
# README says that it is enough to name the zone.
# So: the rules of the zone are written into the file, and the start is written in UTC beside them. A weekly
# rule then keeps the hour in UTC, 15:00, which is eleven in New York from March on.
#
# Output seen on 2026-12-01:
#   TZID:America/New_York
#   DTSTART:20261201T150000Z
#   DTEND:20261201T154500Z
#   RRULE:FREQ=WEEKLY;COUNT=20
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical-toolkit@1.0.9

seen=$(node --input-type=module - <<'END'
import toolkit from "ical-toolkit";
const builder = toolkit.createIcsFileBuilder();
Object.assign(builder, { calname: "Consults", timezone: "America/New_York", tzid: "America/New_York" });
builder.events.push({
  start: new Date("2026-12-01T10:00:00-05:00"),
  end: new Date("2026-12-01T10:45:00-05:00"),
  summary: "Consult",
  repeating: { freq: "WEEKLY", count: 20 },
});
console.log(builder.toString().match(/^(TZID|RRULE:FREQ=WEEKLY|DTSTART:2026|DTEND).*$/gm).join("\n"));
END
)

expected=$(cat <<'END'
TZID:America/New_York
DTSTART:20261201T150000Z
DTEND:20261201T154500Z
RRULE:FREQ=WEEKLY;COUNT=20
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
