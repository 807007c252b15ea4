#!/usr/bin/env bash
# auth-header 1.0.0: what `format` writes, `parse` refuses.
# Guess: a scheme may stand alone, as in `WWW-Authenticate: Negotiate`. Its parameters are optional (RFC 9110,
# section 11.3; RFC 4559, section 4.1). The README itself answers so, with `format('Basic')`.
# So: `parse` throws "Invalid scheme" unless something follows the scheme. A client that reads the answer to
# learn how to sign in fails there.
#
# Output seen on 2026-11-29:
#   Bearer realm="practice": scheme Bearer
#   Basic: Invalid scheme
#   Negotiate: Invalid scheme
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts auth-header@1.0.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { format, parse } = createRequire(`${process.cwd()}/`)("auth-header");
for (const challenge of ['Bearer realm="practice"', format("Basic"), "Negotiate"]) {
  let seen;
  try {
    seen = `scheme ${parse(challenge).scheme}`;
  } catch (error) {
    seen = error.message.trim();
  }
  console.log(`${challenge}: ${seen}`);
}
END
)

expected=$(cat <<'END'
Bearer realm="practice": scheme Bearer
Basic: Invalid scheme
Negotiate: Invalid scheme
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
