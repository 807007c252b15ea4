#!/usr/bin/env bash
# iso20022.js 0.0.15: the zeros at the start of an account number are lost.
# Guess: the identification of an account is text of up to 34 characters (ISO 20022,
# GenericAccountIdentification1), and the types of this library say `string`. American account numbers often
# begin with a zero.
# So: it is read as a number and written as text again. A refund to the account that the client paid from goes
# to another one, or comes back.
#
# Output seen on 2026-11-29:
#   135792468: "135792468"
#   0024681357: "24681357"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts iso20022.js@0.0.15

seen=$(node --input-type=module - <<'END'
import { CashManagementEndOfDayReport } from "iso20022.js";
const statement = (account) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-12-02T08:00:00Z</CreDtTm></GrpHdr><Stmt><Id>1</Id>
<CreDtTm>2026-12-02T08:00:00Z</CreDtTm><Acct><Id><Othr><Id>135792468</Id></Othr></Id><Ccy>USD</Ccy>
<Svcr><FinInstnId><BIC>CHASUS33</BIC></FinInstnId></Svcr></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>2026-12-01</Dt></Dt></Bal><Ntry><Amt Ccy="USD">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-12-01</Dt></BookgDt><BkTxCd><Prtry><Cd>165</Cd></Prtry></BkTxCd><NtryDtls><TxDtls><RltdPties>
<Dbtr><Nm>Dana Roe</Nm></Dbtr><DbtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></DbtrAcct></RltdPties></TxDtls>
</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
for (const account of ["135792468", "0024681357"]) {
  const [{ entries }] = CashManagementEndOfDayReport.fromXML(statement(account)).statements;
  console.log(`${account}: ${JSON.stringify(entries[0].transactions[0].debtor.account.accountNumber)}`);
}
END
)

expected=$(cat <<'END'
135792468: "135792468"
0024681357: "24681357"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
