#!/usr/bin/env bash
# vcard-parser 1.0.0: two words become one where a line is folded.
# Guess: of a folded line, the line break and the one space after it are taken out. A second space is part of
# the text (RFC 2425, section 5.8.1, of which vCard 3.0 is a profile; RFC 2426, section 2.6).
# So: all space after the break is taken out. `1 Main Street` and `Suite 2` become `1 Main StreetSuite 2`. The
# envelope to the client says so, too.
#
# Output seen on 2026-11-29:
#   1 Main StreetSuite 2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts vcard-parser@1.0.0

seen=$(node --input-type=module - <<'END'
import vcard from "vcard-parser";
const card = vcard.parse(["BEGIN:VCARD", "VERSION:3.0", "N:Roe;Dana;;;", "FN:Dana Roe",
  "ADR;TYPE=WORK:;;1 Main Street", "  Suite 2;Albany;NY;12201;USA", "END:VCARD", ""].join("\r\n"));
console.log(card.adr[0].value[2]);
END
)

expected=$(cat <<'END'
1 Main StreetSuite 2
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
