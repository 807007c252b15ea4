#!/usr/bin/env bash
# @hookflo/tern 4.1.0: while a signing secret of Stripe is rolled, a right signature that is not the last is
# refused.
# Guess: the header may have several `v1` signatures, one for each active secret. One that matches is enough,
# wherever it stands (Stripe, Webhooks, "Verify webhook signatures manually").
# So: only the last `v1` is compared. While both secrets are active, all events are refused under one of them.
# A payment is then not seen as paid.
#
# Output seen on 2026-11-29:
#   signed with ours: valid
#   signed with other, ours: valid
#   signed with ours, other: Invalid signature
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @hookflo/tern@4.1.0

seen=$(node --input-type=module - <<'END'
import { createHmac } from "node:crypto";
import { WebhookVerificationService } from "@hookflo/tern";
const body = JSON.stringify({ id: "evt_1", object: "event", type: "checkout.session.completed" });
const now = Math.floor(Date.now() / 1000);
const signature = (secret) => `v1=${createHmac("sha256", secret).update(`${now}.${body}`).digest("hex")}`;
for (const secrets of [["ours"], ["other", "ours"], ["ours", "other"]]) {
  const headers = { "stripe-signature": [`t=${now}`, ...secrets.map(signature)].join(",") };
  const request = new Request("https://practice.example/webhooks", { method: "POST", headers, body });
  const seen = await WebhookVerificationService.verify(request, { platform: "stripe", secret: "ours" });
  console.log(`signed with ${secrets.join(", ")}: ${seen.isValid ? "valid" : seen.error}`);
}
END
)

expected=$(cat <<'END'
signed with ours: valid
signed with other, ours: valid
signed with ours, other: Invalid signature
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
