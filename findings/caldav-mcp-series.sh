#!/usr/bin/env bash
# caldav-mcp 0.10.0: of a weekly consult, an assistant is told the date of the first one.
# Guess: `list-events` for a week in December lists the consult of that week. Its description says that it
# returns the events of the time that is asked for, and the server answers with the series, as CalDAV has it
# (RFC 4791, section 9.6).
# So: the consult is listed on 6 January, eleven months before, and 8 December at ten looks free. This is
# known: pull request 94 is open.
#
# Output seen on 2026-11-30:
#   Consult 2026-01-06T15:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts caldav-mcp@0.10.0 \
  ts-caldav@0.3.7 @modelcontextprotocol/sdk@1.32.2

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const file = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1",
  "DTSTAMP:20260101T000000Z", "SUMMARY:Consult", "DTSTART:20260106T150000Z", "DTEND:20260106T153000Z",
  "RRULE:FREQ=WEEKLY", "END:VEVENT", "END:VCALENDAR"].join("\r\n");
const calendars = createServer((request, response) => {
  const links = ["current-user-principal", "calendar-home-set"];
  const home = links.map((name) => `<${name}><href>/c/</href></${name}>`).join("");
  const event = request.method === "REPORT" ? `<calendar-data>${file}</calendar-data>` : "";
  const found = `<prop>${home}${event}</prop><status>HTTP/1.1 200 OK</status>`;
  const answer = `<response><href>/c/1.ics</href><propstat>${found}</propstat></response>`;
  response.writeHead(207, { "Content-Type": "application/xml" }).end(`<multistatus>${answer}</multistatus>`);
});
await new Promise((listening) => calendars.listen(0, "127.0.0.1", listening));
const CALDAV_BASE_URL = `http://127.0.0.1:${calendars.address().port}`;
const env = { ...process.env, CALDAV_BASE_URL, CALDAV_USERNAME: "practice", CALDAV_PASSWORD: "secret" };
const client = new Client({ name: "assistant", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: "npx", args: ["--no", "caldav-mcp"], env }));
const week = { start: "2026-12-07T00:00:00Z", end: "2026-12-12T00:00:00Z", calendarUrl: "/c/" };
const { content } = await client.callTool({ name: "list-events", arguments: week });
for (const { summary, start } of JSON.parse(content[0].text)) console.log(summary, start);
await client.close();
calendars.close();
END
)

expected=$(cat <<'END'
Consult 2026-01-06T15:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
