#!/usr/bin/env bash
# @sroussey/parse-address 2.4.2: 123 1/2 Main St is the house next door.
# Guess: a fraction is part of the house number. Publication 28 of the Postal Service has such numbers in
# appendix D. They are common for a flat behind a house.
# So: the fraction is left out without an error. The mail for the client goes to number 123.
#
# Output seen on 2026-11-29:
#   123 Main St, Los Angeles, CA 90001: 123 Main St
#   123 1/2 Main St, Los Angeles, CA 90001: 123 Main St
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @sroussey/parse-address@2.4.2

seen=$(node --input-type=module - <<'END'
import { AddressParser } from "@sroussey/parse-address";
const parser = new AddressParser();
for (const address of ["123 Main St, Los Angeles, CA 90001", "123 1/2 Main St, Los Angeles, CA 90001"]) {
  const { number, street, type } = parser.parseLocation(address);
  console.log(`${address}: ${number} ${street} ${type}`);
}
END
)

expected=$(cat <<'END'
123 Main St, Los Angeles, CA 90001: 123 Main St
123 1/2 Main St, Los Angeles, CA 90001: 123 Main St
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
