#!/usr/bin/env bash
# validator 13.15.35: an IBAN of Belarus that has letters in its account number is refused.
# Guess: `isIBAN` accepts what the registry of IBAN formats allows, and so its own examples.
# So: the sixteen characters of the account are letters or digits there, and validator wants digits. The
# example of the registry is refused as a mistyped number would be, though its check digits are right;
# ibantools accepts it.
#
# Output seen on 2026-11-29:
#   BY13NBRB3600900000002Z00AB00: validator false, ibantools true
#   GB29NWBK60161331926819: validator true, ibantools true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts validator@13.15.35 ibantools@4.5.4

seen=$(node --input-type=module - <<'END'
import { isValidIBAN } from "ibantools";
import validator from "validator";
for (const iban of ["BY13NBRB3600900000002Z00AB00", "GB29NWBK60161331926819"])
  console.log(`${iban}: validator ${validator.isIBAN(iban)}, ibantools ${isValidIBAN(iban)}`);
END
)

expected=$(cat <<'END'
BY13NBRB3600900000002Z00AB00: validator false, ibantools true
GB29NWBK60161331926819: validator true, ibantools true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
