#!/usr/bin/env bash
# ts-caldav 0.3.7: a time with a zone is written in UTC and in the zone at once.
# Guess: ten in the morning with `startTzid: "America/New_York"` is 20270303T100000 in that zone, as the
# section on zones of the documentation has it.
# So: it is 15:00 with a `Z` and with TZID, which the standard forbids (RFC 5545, section 3.2.19). For
# ical.js, which the package itself reads it with, the `Z` counts: a weekly consult at ten is at eleven when
# summer time begins.
#
# Output seen on 2026-11-30:
#   DTSTART;TZID=America/New_York:20270303T150000Z
#   3/3/2027, 10:00:00 AM
#   3/10/2027, 10:00:00 AM
#   3/17/2027, 11:00:00 AM
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ts-caldav@0.3.7 axios@1.21.1 ical.js@2.2.1

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import axios from "axios";
import ICAL from "ical.js";
import { CalDAVClient } from "ts-caldav";
let file = "";
axios.defaults.adapter = async (config) => {
  if (config.method === "put") file = config.data;
  const links = ["current-user-principal", "calendar-home-set"];
  const home = links.map((name) => `<${name}><href>/c/</href></${name}>`).join("");
  const event = file && `<getetag>"1"</getetag><calendar-data>${file}</calendar-data>`;
  const found = `<prop>${home}<getctag>1</getctag>${event}</prop><status>HTTP/1.1 200 OK</status>`;
  const response = `<response><href>/c/1.ics</href><propstat>${found}</propstat></response>`;
  const data = `<multistatus>${response}</multistatus>`;
  return { data, status: 207, headers: {}, config };
};
const auth = { type: "basic", username: "practice", password: "secret" };
const client = await CalDAVClient.create({ baseUrl: "https://calendar.example", auth });
await client.createEvent("/c/", {
  summary: "Consult",
  start: new Date("2027-03-03T10:00:00-05:00"),
  end: new Date("2027-03-03T10:30:00-05:00"),
  startTzid: "America/New_York",
  endTzid: "America/New_York",
  recurrenceRule: { freq: "WEEKLY", count: 3 },
});
console.log(file.match(/^DTSTART.*/m)[0].trim());
const times = new ICAL.Event(new ICAL.Component(ICAL.parse(file)).getFirstSubcomponent("vevent")).iterator();
for (let time = times.next(); time; time = times.next()) {
  console.log(time.toJSDate().toLocaleString("en-US", { timeZone: "America/New_York" }));
}
END
)

expected=$(cat <<'END'
DTSTART;TZID=America/New_York:20270303T150000Z
3/3/2027, 10:00:00 AM
3/10/2027, 10:00:00 AM
3/17/2027, 11:00:00 AM
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
