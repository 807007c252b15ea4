#!/usr/bin/env bash
# humanparser 2.7.0: a surname that is also a degree or a generation is taken as a suffix.
# Guess: of a name of two words, the second is the last name, and in `Ma, Anna` it is what stands before the
# comma.
# So: `Ma` is read as the degree M.A. and `Junior` as a generation, and the last name is empty.
#
# Output seen on 2026-11-29:
#   Roe, Anna: {"firstName":"Anna","lastName":"Roe"}
#   Ma, Anna: {"firstName":"Anna","lastName":"","suffix":"Ma"}
#   Anna Ma: {"firstName":"Anna","lastName":"","suffix":"Ma"}
#   Pat Junior: {"firstName":"Pat","lastName":"","suffix":"Junior"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts humanparser@2.7.0

seen=$(node --input-type=module - <<'END'
import human from "humanparser";
for (const name of ["Roe, Anna", "Ma, Anna", "Anna Ma", "Pat Junior"]) {
  const { firstName, lastName, suffix } = human.parseName(name);
  console.log(`${name}: ${JSON.stringify({ firstName, lastName, suffix })}`);
}
END
)

expected=$(cat <<'END'
Roe, Anna: {"firstName":"Anna","lastName":"Roe"}
Ma, Anna: {"firstName":"Anna","lastName":"","suffix":"Ma"}
Anna Ma: {"firstName":"Anna","lastName":"","suffix":"Ma"}
Pat Junior: {"firstName":"Pat","lastName":"","suffix":"Junior"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
