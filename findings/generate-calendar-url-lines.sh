#!/usr/bin/env bash
# generate-calendar-url 1.0.0: a description of two lines makes a calendar that cannot be read.
# Guess: a line break within a text is written as a backslash and an n (RFC 5545, section 3.3.11). The link
# for Google, which the same call makes, keeps both lines.
# So: the text is put into the calendar as it is. Its second line is then read as a property of the event.
#
# Output seen on 2026-12-01:
#   "Please bring your W-2": Please bring your W-2
#   "Please bring:\nyour W-2": invalid line (no token ";" or ":") "your W-2"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts generate-calendar-url@1.0.0 ical.js@2.2.1

seen=$(node --input-type=module - <<'END'
import calendar from "generate-calendar-url";
import ICAL from "ical.js";
const start = new Date("2026-12-01T15:00:00Z");
const end = new Date("2026-12-01T15:45:00Z");
for (const description of ["Please bring your W-2", "Please bring:\nyour W-2"]) {
  const event = { title: "Consult", start, end, location: "1 Main St", description };
  const text = decodeURIComponent(calendar.ical(event).split(",").slice(1).join(","));
  let seen;
  try {
    seen = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent").getFirstPropertyValue("description");
  } catch (error) {
    seen = error.message.split("\n")[0];
  }
  console.log(`${JSON.stringify(description)}: ${seen}`);
}
END
)

expected=$(cat <<'END'
"Please bring your W-2": Please bring your W-2
"Please bring:\nyour W-2": invalid line (no token ";" or ":") "your W-2"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
