#!/usr/bin/env bash
# stripe 23.1.0: the client retries a 503 by itself and does not read Retry-After.
# Guess: a retry waits as long as the Retry-After header of the answer asks.
# So: only the client's own short wait counts, and the second request follows within two seconds of an answer
# that asked for three. Code that needs the longer wait must turn retries off and read the header itself.
#
# Output seen on 2026-11-28:
#   waited the three seconds: false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts stripe@23.1.0

seen=$(node --input-type=module - <<'END'
import Stripe from "stripe";
const times = [];
const httpClient = Stripe.createFetchHttpClient(async () => {
  times.push(Date.now());
  if (times.length > 1) return Response.json({ id: "cus_1", object: "customer" });
  return Response.json({ error: { message: "later" } }, { status: 503, headers: { "retry-after": "3" } });
});
const stripe = new Stripe("sk_test_example", { httpClient, telemetry: false, maxNetworkRetries: 1 });
await stripe.customers.retrieve("cus_1");
console.log(`waited the three seconds: ${times[1] - times[0] >= 2900}`);
END
)

expected=$(cat <<'END'
waited the three seconds: false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
