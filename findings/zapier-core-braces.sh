#!/usr/bin/env bash
# zapier-platform-core 19.1.0: what stands in double braces is taken out of the text that an integration
# sends.
# Guess: since version 17 `z.request()` fills no template any more, so that a body is sent as it was given: it
# refuses names of its own such as `bundle.inputData` with an error, and other braces are nothing to it.
# So: in each field at the top of a JSON body they are removed, and what a client or an email template wrote
# with `{{first_name}}` arrives without it. Further inside, and in a body that is a list, they stay.
#
# Output seen on 2026-11-29:
#   {"text":"Dear , thank you"}
#   {"message":{"text":"Dear {{first_name}}, thank you"}}
#   [{"text":"Dear {{first_name}}, thank you"}]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts zapier-platform-core@19.1.0

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import zapier from "zapier-platform-core";
const server = createServer(async (request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ seen: (await request.toArray()).join("") }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}`;
const text = "Dear {{first_name}}, thank you";
const bodies = [{ text }, { message: { text } }, [{ text }]];
const perform = async (z) => {
  const seen = [];
  for (const body of bodies) seen.push((await z.request({ method: "POST", url, body })).data.seen);
  return { seen };
};
const display = { label: "Send", description: "Sends a message." };
const app = {
  version: "1.0.0", platformVersion: zapier.version,
  creates: { send: { key: "send", noun: "Message", display, operation: { perform, inputFields: [] } } },
};
const { log } = console;
console.log = () => {};
const { seen } = await zapier.createAppTester(app)(perform);
server.close();
for (const body of seen) log(body);
END
)

expected=$(cat <<'END'
{"text":"Dear , thank you"}
{"message":{"text":"Dear {{first_name}}, thank you"}}
[{"text":"Dear {{first_name}}, thank you"}]
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
