#!/usr/bin/env bash
# libphonenumber-js 1.13.16: every second reading of one `tel:` URI finds no number.
# Guess: the same text gives the same answer each time.
# So: where the URI holds a `phone-context` that begins with `+` (RFC 3966, section 5.1.5), the calls take
# turns. A lookup and a retry of it disagree, and so do two requests that come one after the other. A URI
# without it is stable.
#
# Output seen on 2026-11-29:
#   tel:+1-212-555-0123, call 1: +12125550123
#   tel:+1-212-555-0123, call 2: +12125550123
#   tel:+1-212-555-0123, call 3: +12125550123
#   tel:+1-212-555-0123, call 4: +12125550123
#   tel:555-0123;phone-context=+1-212, call 1: +12125550123
#   tel:555-0123;phone-context=+1-212, call 2: no number
#   tel:555-0123;phone-context=+1-212, call 3: +12125550123
#   tel:555-0123;phone-context=+1-212, call 4: no number
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts libphonenumber-js@1.13.16

seen=$(node --input-type=module - <<'END'
import parsePhoneNumber from "libphonenumber-js/max";
for (const uri of ["tel:+1-212-555-0123", "tel:555-0123;phone-context=+1-212"])
  for (const call of [1, 2, 3, 4])
    console.log(`${uri}, call ${call}: ${parsePhoneNumber(uri)?.number ?? "no number"}`);
END
)

expected=$(cat <<'END'
tel:+1-212-555-0123, call 1: +12125550123
tel:+1-212-555-0123, call 2: +12125550123
tel:+1-212-555-0123, call 3: +12125550123
tel:+1-212-555-0123, call 4: +12125550123
tel:555-0123;phone-context=+1-212, call 1: +12125550123
tel:555-0123;phone-context=+1-212, call 2: no number
tel:555-0123;phone-context=+1-212, call 3: +12125550123
tel:555-0123;phone-context=+1-212, call 4: no number
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
