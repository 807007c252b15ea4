#!/usr/bin/env bash
# ofx-data-extractor 1.5.0: of a file without line breaks, the bank account is empty.
# Guess: OFX 1.0.2 is SGML, where an element ends at the next tag. A line break between elements has no
# meaning. Some banks send the whole file as one line.
# So: without line breaks, the summary counts no transaction and no money. There is no error. The practice
# sees no payment of its clients. (`toNormalized` does fail.)
#
# Output seen on 2026-11-29:
#   one element a line: 1 credits, 500 dollars
#   one line: 0 credits, 0 dollars
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ofx-data-extractor@1.5.0

seen=$(node --input-type=module - <<'END'
import { Ofx } from "ofx-data-extractor";
const lines = ["<OFX>", "<BANKMSGSRSV1>", "<STMTTRNRS>", "<TRNUID>1", "<STATUS>", "<CODE>0", "<SEVERITY>INFO",
  "</STATUS>", "<STMTRS>", "<CURDEF>USD", "<BANKACCTFROM>", "<BANKID>021000021", "<ACCTID>135792468",
  "<ACCTTYPE>CHECKING", "</BANKACCTFROM>", "<BANKTRANLIST>", "<DTSTART>20261101", "<DTEND>20261130", "<STMTTRN>",
  "<TRNTYPE>CREDIT", "<DTPOSTED>20261103", "<TRNAMT>500.00", "<FITID>1", "<NAME>DANA ROE", "</STMTTRN>",
  "</BANKTRANLIST>", "<LEDGERBAL>", "<BALAMT>500.00", "<DTASOF>20261130", "</LEDGERBAL>", "</STMTRS>", "</STMTTRNRS>",
  "</BANKMSGSRSV1>", "</OFX>"];
for (const [name, lineBreak] of [["one element a line", "\n"], ["one line", ""]]) {
  const file = new Ofx(`OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252
COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n${lines.join(lineBreak)}`);
  const { credit, amountOfCredits } = file.getTransactionsSummary();
  console.log(`${name}: ${amountOfCredits} credits, ${credit} dollars`);
}
END
)

expected=$(cat <<'END'
one element a line: 1 credits, 500 dollars
one line: 0 credits, 0 dollars
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
