#!/usr/bin/env bash
# awesome-phonenumber 7.8.0: the region of a number without `+` is the region that was asked for.
# Guess: `regionCode` and `countryCode` of the answer tell where the number is.
# So: they do for a number with `+`. A number of London that is dialled from the US as `011 44 ...` is put in
# the US, with country code 1, while `number.e164` beside it begins with +44. So is one of Toronto.
#
# Output seen on 2026-11-29:
#   +44 20 7946 0958: valid, +442079460958, GB, +44
#   011 44 20 7946 0958: valid, +442079460958, US, +1
#   +1 416 555 0123: valid, +14165550123, CA, +1
#   416 555 0123: valid, +14165550123, US, +1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts awesome-phonenumber@7.8.0

seen=$(node --input-type=module - <<'END'
import { parsePhoneNumber } from "awesome-phonenumber";
for (const text of ["+44 20 7946 0958", "011 44 20 7946 0958", "+1 416 555 0123", "416 555 0123"]) {
  const { valid, number, regionCode, countryCode } = parsePhoneNumber(text, { regionCode: "US" });
  console.log(`${text}: ${valid ? "valid" : "not valid"}, ${number.e164}, ${regionCode}, +${countryCode}`);
}
END
)

expected=$(cat <<'END'
+44 20 7946 0958: valid, +442079460958, GB, +44
011 44 20 7946 0958: valid, +442079460958, US, +1
+1 416 555 0123: valid, +14165550123, CA, +1
416 555 0123: valid, +14165550123, US, +1
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
