#!/usr/bin/env bash
# vcard 0.1.0: of two telephone numbers, the second is lost.
# Guess: a card may have several numbers and mail addresses (RFC 2426, section 3.3), and each of them is read.
# So: the first of each is, without an error. Whether the client is called at work or on the move is decided by the
# order of the lines.
#
# Output seen on 2026-11-29:
#   WORK +1 212 555 0100
#   dana@example.com
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts vcard@0.1.0

seen=$(node --input-type=module - <<'END'
import vCard from "vcard";
console.info = () => undefined;
const text = ["BEGIN:VCARD", "VERSION:3.0", "N:Roe;Dana;;;", "FN:Dana Roe", "TEL;TYPE=WORK:+1 212 555 0100",
  "TEL;TYPE=CELL:+1 212 555 0101", "EMAIL:dana@example.com", "EMAIL:roe@example.com", "END:VCARD", ""].join("\r\n");
new vCard().readData(text, (error, { TEL, EMAIL }) => {
  console.log(`${TEL.type} ${TEL.value}`);
  console.log(EMAIL);
});
END
)

expected=$(cat <<'END'
WORK +1 212 555 0100
dana@example.com
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
