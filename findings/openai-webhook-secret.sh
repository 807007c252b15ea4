#!/usr/bin/env bash
# openai 7.59.0: a webhook secret without `whsec_` is another key than for the Standard Webhooks package.
# Guess: both follow Standard Webhooks, where the prefix only marks the secret, so one signature suits both.
# So: with the prefix, both read the rest as base64. Without it, standardwebhooks still does,
# and openai takes the letters themselves as the key.
# A secret manager that keeps the secret without its prefix works with one package and not with the other.
#
# Output seen on 2026-11-28:
#   with whsec_: standardwebhooks verifies, openai verifies
#   without: standardwebhooks verifies, openai does not
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openai@7.59.0 standardwebhooks@1.1.1

seen=$(node --input-type=module - <<'END'
import OpenAI from "openai";
import { Webhook } from "standardwebhooks";
const key = Buffer.from("an example of a key").toString("base64");
const body = JSON.stringify({ id: "evt_1", type: "example", data: {} });
const now = new Date();
const headers = {
  "webhook-id": "evt_1",
  "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
  "webhook-signature": new Webhook(`whsec_${key}`).sign("evt_1", now, body),
};
const { webhooks } = new OpenAI({ apiKey: "example" });
const verdict = (verify) =>
  Promise.resolve().then(verify).then(() => "verifies", () => "does not");
for (const [label, secret] of [["with whsec_", `whsec_${key}`], ["without", key]]) {
  const standard = await verdict(() => new Webhook(secret).verify(body, headers));
  const openai = await verdict(() => webhooks.verifySignature(body, headers, secret));
  console.log(`${label}: standardwebhooks ${standard}, openai ${openai}`);
}
END
)

expected=$(cat <<'END'
with whsec_: standardwebhooks verifies, openai verifies
without: standardwebhooks verifies, openai does not
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
