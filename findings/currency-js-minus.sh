#!/usr/bin/env bash
# currency.js 2.0.4: a refund that `Intl` writes is read as a charge.
# Guess: a text with a minus is read as less than zero, or refused as `errorOnInvalid` promises. `Intl.NumberFormat`
# writes the minus sign of Unicode (U+2212) where a locale has it (CLDR, number symbols), as in Swedish and Finnish.
# So: only the hyphen of ASCII is known. The minus sign is taken away with the symbols of currencies, and the amount
# becomes positive.
#
# Output seen on 2026-11-29:
#   da-DK, minus U+2d: -5
#   sv-SE, minus U+2212: 5
#   fi-FI, minus U+2212: 5
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts currency.js@2.0.4

seen=$(node --input-type=module - <<'END'
import currency from "currency.js";
for (const locale of ["da-DK", "sv-SE", "fi-FI"]) {
  const text = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(-5);
  const minus = text.match(/[-\u2212]/)[0].codePointAt(0).toString(16);
  console.log(`${locale}, minus U+${minus}: ${currency(text, { decimal: ",", errorOnInvalid: true }).value}`);
}
END
)

expected=$(cat <<'END'
da-DK, minus U+2d: -5
sv-SE, minus U+2212: 5
fi-FI, minus U+2212: 5
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
