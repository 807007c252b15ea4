#!/usr/bin/env bash
# ts-caldav 0.3.7: a consult that was cancelled is back after a change of the title.
# Guess: `updateEvent` with what `getEvents` gave and another title changes the title. The documentation says
# that it manages recurring events.
# So: of several dates in one EXDATE (RFC 5545, section 3.8.5.1), only the first is read, so the others are no
# exceptions any more. ical.js, which the package itself uses, lists the times. Pull request 94 of caldav-mcp,
# which is open, mentions it.
#
# Output seen on 2026-11-30:
#   before: EXDATE:20261209T150000Z,20261216T150000Z, so on 20261202T150000Z, 20261223T150000Z
#   after: EXDATE:20261209T150000Z, so on 20261202T150000Z, 20261216T150000Z, 20261223T150000Z
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
const lines = (...event) => ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1",
  "DTSTAMP:20261101T000000Z", ...event, "END:VEVENT", "END:VCALENDAR"].join("\r\n");
file = lines("SUMMARY:Consult", "DTSTART:20261202T150000Z", "DTEND:20261202T153000Z",
  "RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE:20261209T150000Z,20261216T150000Z");
const show = (when) => {
  const event = new ICAL.Event(new ICAL.Component(ICAL.parse(file)).getFirstSubcomponent("vevent"));
  const times = event.iterator();
  const found = [];
  for (let time = times.next(); time; time = times.next()) found.push(time.toICALString());
  console.log(`${when}: ${file.match(/^EXDATE.*/m)[0].trim()}, so on ${found.join(", ")}`);
};
show("before");
const [event] = await client.getEvents("/c/", { all: true });
await client.updateEvent("/c/", { ...event, summary: "Consult about taxes" });
show("after");
END
)

expected=$(cat <<'END'
before: EXDATE:20261209T150000Z,20261216T150000Z, so on 20261202T150000Z, 20261223T150000Z
after: EXDATE:20261209T150000Z, so on 20261202T150000Z, 20261216T150000Z, 20261223T150000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
