#!/usr/bin/env bash
# li 1.3.0: a link whose relation is written `Rel` is lost.
# Guess: the names of the parameters of a link have no case (RFC 8288, appendix B.3, step 9), so that
# `Rel="next"` is the next page.
# So: only `rel` in small letters is found. `parse` leaves the link out, and a list ends after its first page.
#
# Output seen on 2026-12-01:
#   rel: {"next":"/clients?page=2"}
#   Rel: {}
#   REL: {}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts li@1.3.0

seen=$(node --input-type=module - <<'END'
import li from "li";
for (const name of ["rel", "Rel", "REL"]) {
  console.log(`${name}: ${JSON.stringify(li.parse(`</clients?page=2>; ${name}="next"`))}`);
}
END
)

expected=$(cat <<'END'
rel: {"next":"/clients?page=2"}
Rel: {}
REL: {}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
