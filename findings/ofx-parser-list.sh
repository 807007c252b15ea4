#!/usr/bin/env bash
# ofx-parser 1.0.1: two payments are written as one.
# Guess: `serialize` writes what `parse` reads. The package has only these two functions, and no documentation. Each
# payment is a STMTTRN of its own (OFX 1.0.2, section 11.4.3).
# So: a list is written within one element. The file has one payment with two amounts, two dates and two names, and
# a program that reads the last of them, or the first, loses the other payment.
#
# Output seen on 2026-11-30:
#   read: 2 payments, the amounts are -12.50 and -20.00
#   written: 1 payments, the amounts are -12.50 and -20.00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ofx-parser@1.0.1

seen=$(node --input-type=module - <<'END'
import { parse, serialize } from "ofx-parser";
const payment = (day, amount, name) =>
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${day}<NAME>${name}</STMTTRN>`;
const payments = payment(20261103, "-12.50", "Jane Doe") + payment(20261104, "-20.00", "Jane Roe");
const statement = `<STMTRS><CURDEF>USD<BANKTRANLIST>${payments}</BANKTRANLIST></STMTRS>`;
const bank = `<BANKMSGSRSV1><STMTTRNRS>${statement}</STMTTRNRS></BANKMSGSRSV1>`;
const text = `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX>${bank}</OFX>`;
const read = await parse(text);
const written = serialize(read.header, read.OFX);
for (const [name, file] of [["read", text], ["written", written]]) {
  const amounts = file.match(/(?<=<TRNAMT>)[-\d.]+/g).join(" and ");
  console.log(`${name}: ${file.match(/<STMTTRN>/g).length} payments, the amounts are ${amounts}`);
}
END
)

expected=$(cat <<'END'
read: 2 payments, the amounts are -12.50 and -20.00
written: 1 payments, the amounts are -12.50 and -20.00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
