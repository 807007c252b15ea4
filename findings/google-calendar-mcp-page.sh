#!/usr/bin/env bash
# @cocal/google-calendar-mcp 2.6.3: of a full year, the last consults are not listed.
# Guess: `list-events` lists all events of the time that is asked for, and `totalCount` is their number.
# So: Google answers with 250 events, unless more are asked for, and with the token of the next page (Calendar
# API, Events: list). That page is never asked for, and nothing says that there is one. The days after it look
# free.
#
# Output seen on 2026-11-30:
#   asked for a page of the default size, which is 250
#   in the calendar: 260, the last begins 2027-09-20T14:00:00.000Z
#   listed: 250, the last begins 2027-09-10T14:00:00.000Z, totalCount is 250
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  @cocal/google-calendar-mcp@2.6.3 @modelcontextprotocol/sdk@1.32.2

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
writeFileSync("here.mjs", `import http from "node:http";
import https from "node:https";
https.request = (address, { method, headers }, done) => {
  const { pathname, search } = new URL(address);
  const path = pathname + search;
  return http.request({ method, headers, host: "127.0.0.1", port: process.env.GOOGLE_PORT, path }, done);
};`);
writeFileSync("keys.json", '{"installed":{"client_id":"1","client_secret":"1","redirect_uris":["http://localhost"]}}');
const token = { access_token: "1", refresh_token: "1", token_type: "Bearer", expiry_date: Date.now() + 3_600_000 };
writeFileSync("tokens.json", JSON.stringify({ normal: token }));
const ask = async (answer, request) => {
  const google = createServer(async (incoming, response) => {
    const body = (await incoming.toArray()).join("");
    const found = answer(incoming.method, new URL(incoming.url, "http://google"), body);
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(found));
  });
  await new Promise((listening) => google.listen(0, "127.0.0.1", listening));
  const env = { ...process.env, NODE_OPTIONS: "--import ./here.mjs", GOOGLE_PORT: `${google.address().port}` };
  Object.assign(env, { GOOGLE_OAUTH_CREDENTIALS: "keys.json", GOOGLE_CALENDAR_MCP_TOKEN_PATH: "tokens.json" });
  const client = new Client({ name: "assistant", version: "1.0.0" });
  const program = "node_modules/@cocal/google-calendar-mcp/build/index.js";
  await client.connect(new StdioClientTransport({ command: "node", args: [program], env, stderr: "ignore" }));
  const result = await client.callTool(request);
  await client.close();
  google.close();
  return JSON.parse(result.content[0].text);
};
const timeZone = "America/New_York";
const consults = Array.from({ length: 260 }, (_, consult) => {
  const time = (minutes) => new Date(Date.UTC(2027, 0, 4, 14) + consult * 86_400_000 + minutes * 60_000).toISOString();
  return { id: `${consult}`, summary: "Consult", start: { dateTime: time(0) }, end: { dateTime: time(30) } };
});
const year = { calendarId: "primary", timeMin: "2027-01-01T00:00:00Z", timeMax: "2028-01-01T00:00:00Z" };
const { events, totalCount } = await ask((_, { pathname, searchParams }) => {
  if (!pathname.endsWith("/events")) return { id: "primary", timeZone };
  console.log("asked for a page of", searchParams.get("maxResults") ?? "the default size, which is 250");
  const page = { items: consults.slice(0, 250), nextPageToken: "2" };
  return searchParams.get("pageToken") === "2" ? { items: consults.slice(250) } : page;
}, { name: "list-events", arguments: year });
console.log(`in the calendar: ${consults.length}, the last begins ${consults.at(-1).start.dateTime}`);
console.log(`listed: ${events.length}, the last begins ${events.at(-1).start.dateTime}, totalCount is ${totalCount}`);
END
)

expected=$(cat <<'END'
asked for a page of the default size, which is 250
in the calendar: 260, the last begins 2027-09-20T14:00:00.000Z
listed: 250, the last begins 2027-09-10T14:00:00.000Z, totalCount is 250
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
