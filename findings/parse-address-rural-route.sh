#!/usr/bin/env bash
# parse-address 1.1.2: of an address on a rural route nothing is left but `RR`.
# Guess: what a parser of American addresses does not know as a street stays somewhere, and city, state and
# ZIP code are found as everywhere else, as with a post office box.
# So: for rural routes and highway contract routes (USPS Publication 28, sections 24 and 25), as for military
# addresses, the box, the city, the state and the ZIP code are all dropped, without an error.
#
# Output seen on 2026-11-29:
#   PO Box 412, Austin, TX 78701: {"sec_unit_type":"PO Box","sec_unit_num":"412","city":"Austin","state":"TX","zip":"78701"}
#   RR 2 Box 152, Ames, IA 50010: {"street":"RR"}
#   HC 68 Box 98D, Marfa, TX 79843: {"street":"HC"}
#   PSC 802 Box 74, APO, AE 09499: {"street":"PSC"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts parse-address@1.1.2

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { parseLocation } = createRequire(`${process.cwd()}/`)("parse-address");
for (const address of [
  "PO Box 412, Austin, TX 78701",
  "RR 2 Box 152, Ames, IA 50010",
  "HC 68 Box 98D, Marfa, TX 79843",
  "PSC 802 Box 74, APO, AE 09499",
])
  console.log(`${address}: ${JSON.stringify(parseLocation(address))}`);
END
)

expected=$(cat <<'END'
PO Box 412, Austin, TX 78701: {"sec_unit_type":"PO Box","sec_unit_num":"412","city":"Austin","state":"TX","zip":"78701"}
RR 2 Box 152, Ames, IA 50010: {"street":"RR"}
HC 68 Box 98D, Marfa, TX 79843: {"street":"HC"}
PSC 802 Box 74, APO, AE 09499: {"street":"PSC"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
