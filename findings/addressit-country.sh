#!/usr/bin/env bash
# addressit 1.8.2: before a country, a ZIP code is no ZIP code.
# Guess: the postal code of an address is found whether a country stands after it or not. The library knows the
# country: it is in the result.
# So: with `USA` at the end, the ZIP code is put among the regions, and `postalcode` is missing. A form that asks for
# the country loses the ZIP code.
#
# Output seen on 2026-11-29:
#   1 Main Street, Albany, NY 12201: {"state":"NY","postalcode":"12201","regions":["Albany"]}
#   1 Main Street, Albany, NY 12201, USA: {"state":"NY","country":"USA","regions":["Albany","12201"]}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts addressit@1.8.2

seen=$(node --input-type=module - <<'END'
import addressit from "addressit";
for (const text of ["1 Main Street, Albany, NY 12201", "1 Main Street, Albany, NY 12201, USA"]) {
  const { state, postalcode, country, regions } = addressit(text);
  console.log(`${text}: ${JSON.stringify({ state, postalcode, country, regions })}`);
}
END
)

expected=$(cat <<'END'
1 Main Street, Albany, NY 12201: {"state":"NY","postalcode":"12201","regions":["Albany"]}
1 Main Street, Albany, NY 12201, USA: {"state":"NY","country":"USA","regions":["Albany","12201"]}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
