#!/usr/bin/env bash
# vcard4-ts 0.4.1: the department is part of the name of the company.
# Guess: ORG has components that a semicolon divides, the company first (RFC 6350, section 6.6.4), and they
# are read as those of N are.
# So: they are one text, and a semicolon that the card escapes is unescaped in it. A company with a semicolon
# in its name and a company with a department give the same text. vcard4 tells them apart.
#
# Output seen on 2026-11-29:
#   Roe & Doe;Tax: vcard4-ts ["Roe & Doe;Tax"], vcard4 ["Roe & Doe","Tax"]
#   Roe & Doe\;Tax: vcard4-ts ["Roe & Doe;Tax"], vcard4 "Roe & Doe;Tax"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts vcard4-ts@0.4.1 vcard4@4.0.5

seen=$(node --input-type=module - <<'END'
import { parse } from "vcard4";
import { parseVCards } from "vcard4-ts";
for (const org of ["Roe & Doe;Tax", "Roe & Doe\\;Tax"]) {
  const card = ["BEGIN:VCARD", "VERSION:4.0", "FN:Dana Roe", `ORG:${org}`, "END:VCARD", ""].join("\r\n");
  const own = parseVCards(card).vCards[0].ORG[0].value;
  const other = parse(card).getProperty("ORG")[0].value;
  console.log(`${org}: vcard4-ts ${JSON.stringify(own)}, vcard4 ${JSON.stringify(other)}`);
}
END
)

expected=$(cat <<'END'
Roe & Doe;Tax: vcard4-ts ["Roe & Doe;Tax"], vcard4 ["Roe & Doe","Tax"]
Roe & Doe\;Tax: vcard4-ts ["Roe & Doe;Tax"], vcard4 "Roe & Doe;Tax"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
