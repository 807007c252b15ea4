#!/usr/bin/env bash
# camt-parser 1.1.0: what a client wrote with a transfer is not read.
# Guess: the remittance information of a CAMT.053 transaction is structured or not (`Strd` or `Ustrd`), and
# both are read.
# So: only the structured one is. Of a transfer with a line of text, by which an invoice is matched, that line
# is nowhere in the result, and there is no error.
#
# Output seen on 2026-11-29:
#   structured: text read true
#   not structured: text read false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts camt-parser@1.1.0

seen=$(node --input-type=module - <<'END'
import camt from "camt-parser";
const entry = (remittance) => `<Ntry><Amt Ccy="USD">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
  <BookgDt><Dt>2026-11-03</Dt></BookgDt><ValDt><Dt>2026-11-03</Dt></ValDt>
  <BkTxCd><Prtry><Cd>RCDT</Cd></Prtry></BkTxCd>
  <NtryDtls><TxDtls><Refs><EndToEndId>1</EndToEndId></Refs><RmtInf>${remittance}</RmtInf></TxDtls></NtryDtls></Ntry>`;
const { statements: [{ transactions }] } = await camt.parseCamt053(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-04T00:00:00</CreDtTm></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><IBAN>GB29NWBK60161331926819</IBAN></Id><Ccy>USD</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">200.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>2026-11-03</Dt></Dt></Bal>
${entry("<Strd><AddtlRmtInf>Invoice 4711</AddtlRmtInf></Strd>")}
${entry("<Ustrd>Invoice 4711</Ustrd>")}
</Stmt></BkToCstmrStmt></Document>`);
for (const [index, name] of ["structured", "not structured"].entries())
  console.log(`${name}: text read ${JSON.stringify(transactions[index]).includes("Invoice 4711")}`);
END
)

expected=$(cat <<'END'
structured: text read true
not structured: text read false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
