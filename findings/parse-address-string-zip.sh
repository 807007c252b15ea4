#!/usr/bin/env bash
# parse-address-string 0.0.3: with a ZIP code of nine digits, the state is lost.
# Guess: the last line of an American address has a city, a state and a ZIP+4 code (USPS Publication 28,
# section 224). The README names the United States as a target.
# So: of 12201-0012 the last four digits are left out, and the state is null.
#
# Output seen on 2026-11-29:
#   1 Main Street, Albany, NY 12201: Albany, NY, 12201
#   1 Main Street, Albany, NY 12201-0012: Albany, null, 12201
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts parse-address-string@0.0.3

seen=$(node --input-type=module - <<'END'
import parse from "parse-address-string";
for (const address of ["1 Main Street, Albany, NY 12201", "1 Main Street, Albany, NY 12201-0012"])
  parse(address, (error, { city, state, postal_code: zip }) => console.log(`${address}: ${city}, ${state}, ${zip}`));
END
)

expected=$(cat <<'END'
1 Main Street, Albany, NY 12201: Albany, NY, 12201
1 Main Street, Albany, NY 12201-0012: Albany, null, 12201
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
