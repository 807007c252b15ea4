#!/usr/bin/env bash
# mcp-remote 0.15.1: it asks for `openid email profile` where a server names no scopes.
# Guess: without `scopes_supported` in the metadata and without a scope in the 401, the registration has
# no scope, as the client of the MCP SDK does it. An authorization server of OAuth then chooses.
# So: the registration asks for three scopes of OpenID Connect. A server that is strict about unknown
# scopes refuses the client, though neither side ever spoke of OpenID Connect.
#
# Output seen on 2026-11-28:
#   registration: client_name "MCP CLI Proxy", scope "openid email profile"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mcp-remote@0.15.1

seen=$(HOME=$folder node --input-type=module - <<'END'
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
const server = createServer(async (request, response) => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const answer = (status, body) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const path = request.url;
  if (path.startsWith("/.well-known/oauth-protected-resource"))
    return answer(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
  if (path.startsWith("/.well-known/oauth-authorization-server"))
    return answer(200, {
      issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`, response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"],
    });
  if (path !== "/register") return answer(401, { error: "unauthorized" });
  const { client_name, scope } = JSON.parse((await request.toArray()).join(""));
  console.log(`registration: client_name "${client_name}", scope "${scope}"`);
  // The example ends here: no browser is opened.
  answer(400, { error: "invalid_client_metadata" });
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/mcp`;
const command = ["mcp-remote", url, "--transport", "http-only"];
const remote = spawn("npx", command, { stdio: ["pipe", "ignore", "ignore"] });
await once(remote, "exit");
server.close();
server.closeAllConnections();
END
)

expected=$(cat <<'END'
registration: client_name "MCP CLI Proxy", scope "openid email profile"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
