#!/usr/bin/env bash
# n8n-workflow 2.41.0: the domain of a link is that of the email address in its query.
# Guess: `extractDomain()` of a link gives its host, `calendly.com`. An `@` may stand in a query as it is (RFC 3986,
# section 3.4), as in links that fill in the address of the client.
# So: all up to the `@` is taken for the name of a user, though the path comes before it. A step that tells hosts apart
# by their domain sees the domain of the client.
#
# Output seen on 2026-11-29:
#   https://calendly.com/practice/consult: calendly.com
#   https://calendly.com/practice/consult?name=Kim: calendly.com
#   https://calendly.com/practice/consult?email=kim%40example.com: calendly.com
#   https://calendly.com/practice/consult?email=kim@example.com: example.com
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const require = createRequire(`${process.cwd()}/`);
const { extend } = require("n8n-workflow/dist/cjs/extensions/expression-extension.js");
for (const query of ["", "?name=Kim", "?email=kim%40example.com", "?email=kim@example.com"]) {
  const link = `https://calendly.com/practice/consult${query}`;
  console.log(`${link}: ${extend(link, "extractDomain", [])}`);
}
END
)

expected=$(cat <<'END'
https://calendly.com/practice/consult: calendly.com
https://calendly.com/practice/consult?name=Kim: calendly.com
https://calendly.com/practice/consult?email=kim%40example.com: calendly.com
https://calendly.com/practice/consult?email=kim@example.com: example.com
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
