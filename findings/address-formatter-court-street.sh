#!/usr/bin/env bash
# @fragaria/address-formatter 6.7.1: Court Street is abbreviated to Ct St.
# Guess: the suffix of a street is abbreviated, and the name before it is written out. USPS Publication 28,
# section 234.2, says so of two words that both could be a suffix.
# So: each word that could be a suffix is abbreviated. Court Street is `Ct St`, and Street Road is `St Rd`.
#
# Output seen on 2026-11-29:
#   Main Street: 1 Main St
#   Court Street: 1 Ct St
#   Street Road: 1 St Rd
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @fragaria/address-formatter@6.7.1

seen=$(node --input-type=module - <<'END'
import formatter from "@fragaria/address-formatter";
for (const road of ["Main Street", "Court Street", "Street Road"]) {
  const address = { houseNumber: "1", road, city: "Albany", state: "NY", postcode: "12201", countryCode: "US" };
  console.log(`${road}: ${formatter.format(address, { abbreviate: true, output: "array" })[0]}`);
}
END
)

expected=$(cat <<'END'
Main Street: 1 Main St
Court Street: 1 Ct St
Street Road: 1 St Rd
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
