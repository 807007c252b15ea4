#!/usr/bin/env bash
# vcards-js 2.11.1: a telephone number of a vCard 4.0 is no URI.
# Guess: what is written with VALUE=uri is a URI (RFC 6350, section 6.4.1). In a `tel:` URI a space has no
# place, and a number without a country code needs `phone-context` (RFC 3966, section 3).
# So: `tel:` is put before the number as it is typed, as people write it with spaces and brackets. The card
# says that this is a URI, and it is none. In version 3.0 it is a text, and right. Issue 64, which is open,
# shows what a reader makes of it.
#
# Output seen on 2026-11-30:
#   3.0: TEL;TYPE=WORK,VOICE:+1-212-555-0100
#   3.0: TEL;TYPE=WORK,VOICE:+1 212 555 0100
#   3.0: TEL;TYPE=WORK,VOICE:(212) 555-0100
#   4.0: TEL;TYPE="WORK,VOICE";VALUE=uri:tel:+1-212-555-0100
#   4.0: TEL;TYPE="WORK,VOICE";VALUE=uri:tel:+1 212 555 0100
#   4.0: TEL;TYPE="WORK,VOICE";VALUE=uri:tel:(212) 555-0100
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts vcards-js@2.11.1

seen=$(node --input-type=module - <<'END'
import vCardsJS from "vcards-js";
for (const version of ["3.0", "4.0"])
  for (const number of ["+1-212-555-0100", "+1 212 555 0100", "(212) 555-0100"]) {
    const card = vCardsJS();
    Object.assign(card, { version, firstName: "Jane", lastName: "Doe", workPhone: number });
    console.log(`${version}: ${card.getFormattedString().match(/^TEL.*$/m)[0].trim()}`);
  }
END
)

expected=$(cat <<'END'
3.0: TEL;TYPE=WORK,VOICE:+1-212-555-0100
3.0: TEL;TYPE=WORK,VOICE:+1 212 555 0100
3.0: TEL;TYPE=WORK,VOICE:(212) 555-0100
4.0: TEL;TYPE="WORK,VOICE";VALUE=uri:tel:+1-212-555-0100
4.0: TEL;TYPE="WORK,VOICE";VALUE=uri:tel:+1 212 555 0100
4.0: TEL;TYPE="WORK,VOICE";VALUE=uri:tel:(212) 555-0100
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
