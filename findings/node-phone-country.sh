#!/usr/bin/env bash
# node-phone 1.0.2: a number in Singapore becomes an American one.
# Guess: what follows `+` is the country code (E.164), so that +65 is Singapore. The page of the package says that such
# a number is taken for an American one where it has no plus sign.
# So: it is with the plus sign, too. The area code is then 659, and the call or the text goes to somebody else.
#
# Output seen on 2026-11-29:
#   +44 20 7946 0018 -> +44 2079460018
#   +65 9826 9711 -> +1 6598269711
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-phone@1.0.2

seen=$(node --input-type=module - <<'END'
import phone from "node-phone";
for (const number of ["+44 20 7946 0018", "+65 9826 9711"]) {
  const { countryCode, phone: rest } = phone.normalizePhone(number);
  console.log(`${number} -> ${countryCode} ${rest}`);
}
END
)

expected=$(cat <<'END'
+44 20 7946 0018 -> +44 2079460018
+65 9826 9711 -> +1 6598269711
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
