#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2: a person is not asked for a further scope if the client has a refresh
# token.
# Guess: where a server answers 403 with `insufficient_scope`, the client asks the person for the scope that
# is named there, as the specification of 2025-11-25 has it (Authorization, Step-Up Authorization Flow). A
# refresh cannot add a scope (RFC 6749, section 6).
# So: with a refresh token it refreshes, gets the scope that it had, and gives up. Without one, it asks the
# person. A client that may stay signed in can thus never book, where booking has a scope of its own. Issue
# 2255, which is open; version 2 asks (pull request 2346).
#
# Output seen on 2026-12-01:
#   without a refresh token: asked for read book, refreshed 0 times, Unauthorized
#   with a refresh token: asked for nothing, refreshed 1 times, Server returned 403 after trying upscoping
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2

seen=$(node --input-type=module - <<'END'
import { once } from "node:events";
import { createServer } from "node:http";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
let refreshed = 0;
const server = createServer(async (request, response) => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const body = (await request.toArray()).join("");
  const answer = (status, content, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(content));
  };
  if (request.url.startsWith("/.well-known/oauth-protected-resource"))
    return answer(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
  if (request.url.startsWith("/.well-known/oauth-authorization-server"))
    return answer(200, {
      issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`,
      response_types_supported: ["code"], code_challenge_methods_supported: ["S256"],
    });
  if (request.url === "/token" && new URLSearchParams(body).get("grant_type") === "refresh_token") {
    refreshed += 1;
    return answer(200, { access_token: "next", token_type: "Bearer", scope: "read", refresh_token: "refresh" });
  }
  answer(403, { error: "insufficient_scope" }, {
    "www-authenticate": 'Bearer error="insufficient_scope", scope="read book", ' +
      `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
  });
}).listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${server.address().port}`;
for (const refresh_token of [undefined, "refresh"]) {
  let tokens = { access_token: "first", token_type: "Bearer", scope: "read", refresh_token, issuer: origin };
  let asked = "nothing";
  refreshed = 0;
  const authProvider = {
    redirectUrl: "http://127.0.0.1/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1/callback"] },
    clientInformation: () => ({ client_id: "client" }),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => "verifier",
    redirectToAuthorization: (url) => void (asked = url.searchParams.get("scope")),
  };
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider });
  await transport.start();
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "book", arguments: {} } };
  const error = await transport.send(call).catch((thrown) => thrown);
  await transport.close();
  console.log(`${refresh_token ? "with" : "without"} a refresh token: asked for ${asked}, ` +
    `refreshed ${refreshed} times, ${error.message.split(": ").at(-1)}`);
}
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
without a refresh token: asked for read book, refreshed 0 times, Unauthorized
with a refresh token: asked for nothing, refreshed 1 times, Server returned 403 after trying upscoping
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
