#!/usr/bin/env bash
# iso20022.js 0.0.15: an entry of 19.99 is 1998.9999999999998.
# Guess: the amount of an entry is a decimal number of dollars, such as 19.99 (camt.053.001.02,
# ActiveOrHistoricCurrencyAndAmount). The library gives it in dollars or in whole cents. Its type is a number,
# without a word on the unit.
# So: it is multiplied by 100 and not rounded. A payment of 19.99 does not equal the 1999 cents of its
# invoice. Many amounts come out right, so a test with 10.10 shows nothing.
#
# Output seen on 2026-11-29:
#   10.10: 1010
#   19.99: 1998.9999999999998
#   16.08: 1607.9999999999998
#   4.35: 434.99999999999994
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts iso20022.js@0.0.15

seen=$(node --input-type=module - <<'END'
import { CashManagementEndOfDayReport } from "iso20022.js";
const entry = (amount) => `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
  <BookgDt><Dt>2026-12-01</Dt></BookgDt><BkTxCd><Prtry><Cd>165</Cd></Prtry></BkTxCd></Ntry>`;
const statement = (...amounts) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-12-02T08:00:00Z</CreDtTm></GrpHdr><Stmt><Id>1</Id>
<CreDtTm>2026-12-02T08:00:00Z</CreDtTm><Acct><Id><Othr><Id>135792468</Id></Othr></Id><Ccy>USD</Ccy>
<Svcr><FinInstnId><BIC>CHASUS33</BIC></FinInstnId></Svcr></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>2026-12-01</Dt></Dt></Bal>${amounts.map(entry).join("")}</Stmt></BkToCstmrStmt></Document>`;
const amounts = ["10.10", "19.99", "16.08", "4.35"];
const [{ entries }] = CashManagementEndOfDayReport.fromXML(statement(...amounts)).statements;
for (const [index, amount] of amounts.entries()) console.log(`${amount}: ${entries[index].amount}`);
END
)

expected=$(cat <<'END'
10.10: 1010
19.99: 1998.9999999999998
16.08: 1607.9999999999998
4.35: 434.99999999999994
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
