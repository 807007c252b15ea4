#!/usr/bin/env bash
# simple-oauth2 5.1.0: after a refresh without a new refresh token, the old one is lost.
# Guess: where the answer has no refresh token, the client goes on with the one that it has. A server may
# leave it out (RFC 6749, section 6). The library has code for this.
# So: that code reads the old token from the wrong place. The first refresh works. The second is sent with an
# empty token. The practice has to connect the account again by hand.
#
# Output seen on 2026-11-29:
#   sent: grant_type=refresh_token&refresh_token=kept
#   after the first: refresh token undefined
#   sent: grant_type=refresh_token&refresh_token=
#   after the second: refresh token undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts simple-oauth2@5.1.0

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import { AuthorizationCode } from "simple-oauth2";
const server = createServer(async (request, response) => {
  console.log(`sent: ${(await request.toArray()).join("")}`);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ access_token: "new", token_type: "Bearer", expires_in: 3600 }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const client = new AuthorizationCode({
  client: { id: "practice", secret: "example" },
  auth: { tokenHost: `http://127.0.0.1:${server.address().port}` },
});
let token = client.createToken({ access_token: "old", token_type: "Bearer", refresh_token: "kept" });
for (const time of ["first", "second"]) {
  token = await token.refresh();
  console.log(`after the ${time}: refresh token ${token.token.refresh_token}`);
}
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
sent: grant_type=refresh_token&refresh_token=kept
after the first: refresh token undefined
sent: grant_type=refresh_token&refresh_token=
after the second: refresh token undefined
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
