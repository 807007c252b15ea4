#!/usr/bin/env bash
# vcf 2.1.2: the escapes of a vCard stay in the values that are read.
# Guess: a reader of vCards gives the text that the card holds, `Roe, Dana & Co`.
# So: a comma, a semicolon and a line break, which a card writes with a backslash (RFC 6350, section 3.4),
# come back with it. A client who is added from a card has a backslash in the name.
#
# Output seen on 2026-11-29:
#   fn: Roe\, Dana & Co
#   note: Called on Monday\; calls again.\nPrefers mornings.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts vcf@2.1.2

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const VCard = createRequire(`${process.cwd()}/`)("vcf");
const lines = [
  "BEGIN:VCARD",
  "VERSION:4.0",
  "FN:Roe\\, Dana & Co",
  "NOTE:Called on Monday\\; calls again.\\nPrefers mornings.",
  "END:VCARD",
];
const card = new VCard().parse(lines.join("\r\n") + "\r\n");
for (const name of ["fn", "note"]) console.log(`${name}: ${card.get(name).valueOf()}`);
END
)

expected=$(cat <<'END'
fn: Roe\, Dana & Co
note: Called on Monday\; calls again.\nPrefers mornings.
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
