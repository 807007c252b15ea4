#!/usr/bin/env bash
# another-name-parser 0.1.0: Dana V. Roe is the fifth of that name.
# Guess: a letter between the first and the last name is a middle initial. The README shows this with `James
# W. Gordon`.
# So: `V.` is read as the suffix V, although the last name follows it. There is no middle name then. A form
# shows `Dana Roe V.`, which does not match the client's papers.
#
# Output seen on 2026-11-29:
#   Dana Q. Roe: first Dana, middle Q., last Roe, suffix null
#   Dana V. Roe: first Dana, middle null, last Roe, suffix V.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts another-name-parser@0.1.0

seen=$(node --input-type=module - <<'END'
import parse from "another-name-parser";
for (const name of ["Dana Q. Roe", "Dana V. Roe"]) {
  const { first, middle, last, suffix } = parse(name);
  console.log(`${name}: first ${first}, middle ${middle}, last ${last}, suffix ${suffix}`);
}
END
)

expected=$(cat <<'END'
Dana Q. Roe: first Dana, middle Q., last Roe, suffix null
Dana V. Roe: first Dana, middle null, last Roe, suffix V.
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
