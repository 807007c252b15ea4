#!/usr/bin/env bash
# @pipedream/platform 3.4.0: `axios` sends another query than the address has.
# Guess: the address is asked for as it is given. The wrapper "presents the same programming API as axios"
# (documentation, `@pipedream/platform` axios). In a query, a parameter may be repeated, and `+` is a space:
# `URLSearchParams` writes it so (URL Standard, application/x-www-form-urlencoded).
# So: of a repeated parameter only the last is sent, and each `+` becomes a plus sign. The invoices that are
# open are left out of what is owed. Jane Doe is looked for as Jane+Doe, is not found, and gets a second
# profile.
#
# Output seen on 2026-11-30:
#   axios: /invoices?state=open&state=overdue
#   @pipedream/platform: /invoices?state=overdue
#   axios: /clients?name=Jane+Doe
#   @pipedream/platform: /clients?name=Jane%2BDoe
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @pipedream/platform@3.4.0

seen=$(node --input-type=module - <<'END'
import { createServer } from "node:http";
import { once } from "node:events";
import { createRequire } from "node:module";
const require = createRequire(`${process.cwd()}/`);
const platform = require("@pipedream/platform");
const axios = require("axios");
let asked;
const http = createServer(({ url }, response) => {
  asked = url;
  response.end();
}).listen(0, "127.0.0.1");
await once(http, "listening");
const base = `http://127.0.0.1:${http.address().port}`;
const states = new URLSearchParams([["state", "open"], ["state", "overdue"]]);
const name = new URLSearchParams({ name: "Jane Doe" });
for (const path of [`/invoices?${states}`, `/clients?${name}`]) {
  const url = base + path;
  await axios({ url });
  console.log(`axios: ${asked}`);
  await platform.axios({}, { url });
  console.log(`@pipedream/platform: ${asked}`);
}
process.exit();
END
)

expected=$(cat <<'END'
axios: /invoices?state=open&state=overdue
@pipedream/platform: /invoices?state=overdue
axios: /clients?name=Jane+Doe
@pipedream/platform: /clients?name=Jane%2BDoe
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
