#!/usr/bin/env bash
# vcard4 4.0.5: the label of an address is cut at its commas.
# Guess: a quoted parameter is one value, whatever it holds (RFC 6350, section 5), and TYPE=home,work is two
# (section 5.6). The example of section 6.3.1 is a label with commas.
# So: what is quoted is split at its commas, and what is not quoted is kept as one text. The label for a
# letter becomes a list of its pieces, and two types become one.
#
# Output seen on 2026-11-30:
#   LABEL="Jane Doe, CPA": {"LABEL":["Jane Doe"," CPA"]}
#   TYPE=home: {"TYPE":"home"}
#   TYPE=home,work: {"TYPE":"home,work"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts vcard4@4.0.5

seen=$(node --input-type=module - <<'END'
import { parse } from "vcard4";
for (const parameter of ['LABEL="Jane Doe, CPA"', "TYPE=home", "TYPE=home,work"]) {
  const lines = [`ADR;${parameter}:;;1 Example St;Albany;NY;12207;USA`, "FN:Jane Doe"];
  const card = parse(["BEGIN:VCARD", "VERSION:4.0", ...lines, "END:VCARD", ""].join("\r\n"));
  const [address] = card.getProperty("ADR");
  console.log(`${parameter}: ${JSON.stringify(address.parameters)}`);
}
END
)

expected=$(cat <<'END'
LABEL="Jane Doe, CPA": {"LABEL":["Jane Doe"," CPA"]}
TYPE=home: {"TYPE":"home"}
TYPE=home,work: {"TYPE":"home,work"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
