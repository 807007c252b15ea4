#!/usr/bin/env bash
# node-ofx-parser 0.5.1: an escaped ampersand in a payee is escaped twice more.
# Guess: `&amp;` in a field is read as `&`, or left as it is.
# So: it becomes `&amp;amp;amp;`, and `&lt;` becomes `&amp;amp;lt;`. OFX 1.0.2, chapter 2, Special Characters,
# has a bank write these characters so.
#
# Output seen on 2026-11-29:
#   Doe &amp;amp;amp; Roe
#   Fee &amp;amp;lt;5
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-ofx-parser@0.5.1

seen=$(node --input-type=module - <<'END'
import ofx from "node-ofx-parser";
const { STMTTRN: rows } = ofx.parse(`OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261103<TRNAMT>-12.50<FITID>1<NAME>Doe &amp; Roe</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261104<TRNAMT>-12.50<FITID>2<NAME>Fee &lt;5</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST;
for (const { NAME } of rows) console.log(NAME);
END
)

expected=$(cat <<'END'
Doe &amp;amp;amp; Roe
Fee &amp;amp;lt;5
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
