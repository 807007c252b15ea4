#!/usr/bin/env bash
# addresser 1.1.22: West Virginia is Virginia.
# Guess: a state that is written out is read. The README says that names of states are normalized, and it
# shows South Carolina.
# So: of West Virginia only the second word is read. The state is VA and the city is `West`. The name of the
# city moves into the street. The state decides which return a client has to file.
#
# Output seen on 2026-11-29:
#   WV 25301: city "Charleston", state WV, second line none
#   West Virginia 25301: city "West ", state VA, second line Charleston
#   South Carolina 29401: city "Charleston", state SC, second line none
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts addresser@1.1.22

seen=$(node --input-type=module - <<'END'
import addresser from "addresser";
for (const state of ["WV 25301", "West Virginia 25301", "South Carolina 29401"]) {
  const { placeName, stateAbbreviation, addressLine2 } = addresser.parseAddress(`1 Main St, Charleston, ${state}`);
  console.log(`${state}: city "${placeName}", state ${stateAbbreviation}, second line ${addressLine2 ?? "none"}`);
}
END
)

expected=$(cat <<'END'
WV 25301: city "Charleston", state WV, second line none
West Virginia 25301: city "West ", state VA, second line Charleston
South Carolina 29401: city "Charleston", state SC, second line none
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
