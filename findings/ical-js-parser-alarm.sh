#!/usr/bin/env bash
# ical-js-parser 0.7.4: what is read and written again has the reminder outside of its event.
# Guess: `toString` of what `toJSON` gave is the same calendar. The README says that the same format can be
# used for both, and has an event with `alarms`.
# So: VALARM is written after END:VEVENT, where it belongs to no event. An alarm is part of an event or a
# to-do (RFC 5545, section 3.6.6). A program that changes the title of a consult takes its reminder away, or
# makes a file that others refuse.
#
# Output seen on 2026-11-30:
#   read: BEGIN:VCALENDAR BEGIN:VEVENT BEGIN:VALARM TRIGGER:-PT15M END:VALARM END:VEVENT END:VCALENDAR
#   written: BEGIN:VCALENDAR BEGIN:VEVENT END:VEVENT BEGIN:VALARM TRIGGER:-PT15M END:VALARM END:VCALENDAR
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical-js-parser@0.7.4

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { default: parser } = createRequire(`${process.cwd()}/`)("ical-js-parser");
const calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Practice//EN", "BEGIN:VEVENT", "UID:1",
  "DTSTAMP:20261130T090000Z", "DTSTART:20261201T150000Z", "SUMMARY:Consult", "BEGIN:VALARM", "ACTION:DISPLAY",
  "DESCRIPTION:Consult", "TRIGGER:-PT15M", "END:VALARM", "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
const lines = (text) => text.split(/\r?\n/).filter((line) => /^(BEGIN|END|TRIGGER)/.test(line)).join(" ");
console.log("read:", lines(calendar));
console.log("written:", lines(parser.toString(parser.toJSON(calendar))));
END
)

expected=$(cat <<'END'
read: BEGIN:VCALENDAR BEGIN:VEVENT BEGIN:VALARM TRIGGER:-PT15M END:VALARM END:VEVENT END:VCALENDAR
written: BEGIN:VCALENDAR BEGIN:VEVENT END:VEVENT BEGIN:VALARM TRIGGER:-PT15M END:VALARM END:VCALENDAR
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
