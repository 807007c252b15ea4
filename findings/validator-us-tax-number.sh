#!/usr/bin/env bash
# validator 13.15.35: the tax number of a person in the US is refused, or accepted by chance.
# Guess: `isTaxID` with `en-US` accepts the number of a person: for the IRS, a Social Security number and an ITIN
# are taxpayer identification numbers, as an EIN is (26 CFR 301.6109-1). The documentation says that it checks for
# a valid Tax Identification Number, and names no kind.
# So: only the numbers of employers are known. The usual way to write a person's number is refused always, and without
# hyphens its first two digits decide, as if they were a prefix of an EIN.
#
# Output seen on 2026-11-30:
#   123-45-6789: false
#   123456789: true
#   900-70-0000: false
#   900700000: true
#   without hyphens, 149 of 898 areas of Social Security numbers are refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts validator@13.15.35

seen=$(node --input-type=module - <<'END'
import validator from "validator";
for (const number of ["123-45-6789", "123456789", "900-70-0000", "900700000"]) {
  console.log(`${number}: ${validator.isTaxID(number, "en-US")}`);
}
const areas = Array.from({ length: 899 }, (_, area) => area + 1).filter((area) => area !== 666);
const numbers = areas.map((area) => `${String(area).padStart(3, "0")}456789`);
const refused = numbers.filter((number) => !validator.isTaxID(number, "en-US"));
console.log(`without hyphens, ${refused.length} of ${numbers.length} areas of Social Security numbers are refused`);
END
)

expected=$(cat <<'END'
123-45-6789: false
123456789: true
900-70-0000: false
900700000: true
without hyphens, 149 of 898 areas of Social Security numbers are refused
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
