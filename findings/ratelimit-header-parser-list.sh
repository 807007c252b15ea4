#!/usr/bin/env bash
# ratelimit-header-parser 0.1.0: of the newer form of the RateLimit field, each number is `NaN`.
# Guess: where it finds no rate limit that it knows, `parseRateLimit` gives `undefined`, as its README says.
# The README names draft 7 and older forms. The newer form names policies
# (draft-ietf-httpapi-ratelimit-headers-08 and later).
# So: the result is an object whose numbers are `NaN`. `remaining < 1` is then never true. A client that waits
# for the limit by it never waits, and is refused.
#
# Output seen on 2026-11-29:
#   undefined: undefined; wait: false
#   limit=100, remaining=0, reset=30: limit 100, remaining 0; wait: true
#   "default";r=0;t=30: limit NaN, remaining NaN; wait: false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ratelimit-header-parser@0.1.0

seen=$(node --input-type=module - <<'END'
import { parseRateLimit } from "ratelimit-header-parser";
for (const ratelimit of [undefined, "limit=100, remaining=0, reset=30", '"default";r=0;t=30']) {
  const info = parseRateLimit(ratelimit ? { ratelimit } : {});
  console.log(`${ratelimit}: ${info && `limit ${info.limit}, remaining ${info.remaining}`}; wait: ${info?.remaining < 1}`);
}
END
)

expected=$(cat <<'END'
undefined: undefined; wait: false
limit=100, remaining=0, reset=30: limit 100, remaining 0; wait: true
"default";r=0;t=30: limit NaN, remaining NaN; wait: false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
