#!/usr/bin/env bash
# tsdav 2.3.4: the answer to a question for busy times is cut off.
# Guess: `freeBusyQuery` gives all busy times of a month. Its documentation asks for a month, and warns only
# of servers that do not know the question. A server answers with one iCalendar object (RFC 4791, section
# 7.10), not with XML.
# So: an answer that is not XML ends after 4,096 characters, and `ok` is true. The days after 23 December look
# free, and the last period that is left has no end. The changelog calls the limit a mend for long error
# pages.
#
# Output seen on 2026-11-30:
#   sent: 124 periods, the last is FREEBUSY:20261231T200000Z/20261231T203000Z
#   read: 90 periods, the last is FREEBUSY:20261223T160000Z/2…
#   ok: true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts tsdav@2.3.4

seen=$(node --input-type=module - <<'END'
import { freeBusyQuery } from "tsdav";
const time = (date) => date.toISOString().replace(/[-:]|\.\d+/g, "");
const consults = Array.from({ length: 124 }, (_, consult) => {
  const start = Date.UTC(2026, 11, 1 + Math.floor(consult / 4), 14 + 2 * (consult % 4));
  return `FREEBUSY:${time(new Date(start))}/${time(new Date(start + 1_800_000))}`;
});
const calendar = [
  "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VFREEBUSY", "UID:1",
  "DTSTAMP:20261130T000000Z", "DTSTART:20261201T000000Z", "DTEND:20270101T000000Z", ...consults,
  "END:VFREEBUSY", "END:VCALENDAR", "",
].join("\r\n");
const answer = await freeBusyQuery({
  url: "https://calendar.example/practice/",
  timeRange: { start: "2026-12-01T00:00:00Z", end: "2027-01-01T00:00:00Z" },
  depth: "1",
  fetch: async () => new Response(calendar, { headers: { "Content-Type": "text/calendar" } }),
});
const periods = (text) => text.match(/^FREEBUSY:.*/gm);
console.log("sent:", periods(calendar).length, "periods, the last is", periods(calendar).at(-1).trim());
console.log("read:", periods(answer.raw).length, "periods, the last is", periods(answer.raw).at(-1));
console.log("ok:", answer.ok);
END
)

expected=$(cat <<'END'
sent: 124 periods, the last is FREEBUSY:20261231T200000Z/20261231T203000Z
read: 90 periods, the last is FREEBUSY:20261223T160000Z/2…
ok: true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
