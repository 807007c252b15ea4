#!/usr/bin/env bash
# http-link-header 1.1.4: a parameter without a value swallows the next one.
# Guess: of `<...>; crossorigin; rel="next"`, the relation is `next`. A parameter of a link may stand without
# a value (RFC 8288, section 3).
# So: both become one parameter with the name `crossorigin; rel`. The link has no relation. A client that
# follows `next` stops at the first page, and the other clients are missing.
#
# Output seen on 2026-11-29:
#   rel="next"; crossorigin: 1 found, {"uri":"https://api.example/clients?cursor=2","rel":"next","crossorigin":""}
#   crossorigin; rel="next": 0 found, {"uri":"https://api.example/clients?cursor=2","crossorigin; rel":"next"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts http-link-header@1.1.4

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const LinkHeader = createRequire(`${process.cwd()}/`)("http-link-header");
for (const parameters of ['rel="next"; crossorigin', 'crossorigin; rel="next"']) {
  const links = LinkHeader.parse(`<https://api.example/clients?cursor=2>; ${parameters}`);
  console.log(`${parameters}: ${links.rel("next").length} found, ${JSON.stringify(links.refs[0])}`);
}
END
)

expected=$(cat <<'END'
rel="next"; crossorigin: 1 found, {"uri":"https://api.example/clients?cursor=2","rel":"next","crossorigin":""}
crossorigin; rel="next": 0 found, {"uri":"https://api.example/clients?cursor=2","crossorigin; rel":"next"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
