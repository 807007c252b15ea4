#!/usr/bin/env bash
# @cocal/google-calendar-mcp 2.6.3: a change of the last two consults of four adds two more.
# Guess: `update-event` with `thisAndFollowing` changes the consults that are left. The documentation calls
# that an advanced modification of recurring events.
# So: the series ends before the third, and a new one begins there, with the COUNT of the whole series. Two
# consults that nobody agreed to are at its end.
#
# Output seen on 2026-11-30:
#   before: 1 series, from 2036-01-02 RRULE:FREQ=WEEKLY;COUNT=4
#   PATCH: from 2036-01-02 RRULE:FREQ=WEEKLY;UNTIL=20360115T150000Z
#   POST: from 2036-01-16 RRULE:FREQ=WEEKLY;COUNT=4
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
const series = {
  id: "consult",
  start: { dateTime: "2036-01-02T10:00:00-05:00", timeZone },
  end: { dateTime: "2036-01-02T10:30:00-05:00", timeZone },
  recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4"],
};
console.log(`before: 1 series, from ${series.start.dateTime.slice(0, 10)} ${series.recurrence}`);
const change = { calendarId: "primary", eventId: "consult", summary: "Consult about taxes", checkConflicts: false };
const later = { modificationScope: "thisAndFollowing", futureStartDate: "2036-01-16T10:00:00-05:00" };
await ask((method, { pathname }, body) => {
  if (method === "GET") return pathname.endsWith("/consult") ? series : { id: "primary", timeZone };
  const { start = series.start, recurrence } = JSON.parse(body);
  console.log(`${method}: from ${start.dateTime.slice(0, 10)} ${recurrence}`);
  return series;
}, { name: "update-event", arguments: { ...change, ...later } });
END
)

expected=$(cat <<'END'
before: 1 series, from 2036-01-02 RRULE:FREQ=WEEKLY;COUNT=4
PATCH: from 2036-01-02 RRULE:FREQ=WEEKLY;UNTIL=20360115T150000Z
POST: from 2036-01-16 RRULE:FREQ=WEEKLY;COUNT=4
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
