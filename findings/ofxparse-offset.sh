#!/usr/bin/env bash
# python3-ofxparse 0.21-2 (Debian): an offset that has no name beside it is passed over.
# Guess: 20261130230000[-5] and 20261130230000[-5:EST] are one time, 04:00 UTC on 1 December. The name of the
# zone may be left out (OFX 1.6 and later, section 3.2.8.2).
# So: without a name the time is taken for UTC, five hours early. Two payments of one moment, from two banks,
# are in different months.
#
# Output seen on 2026-11-30:
#   20261201040000 is 2026-12-01 04:00:00
#   20261130230000[-5:EST] is 2026-12-01 04:00:00
#   20261130230000[-5] is 2026-11-30 23:00:00
#   20261130230000.000[-5] is 2026-11-30 23:00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-ofxparse=0.21-2 python3-bs4=4.11.2-2 python3-lxml=4.9.2-1+deb12u1 python3-six=1.16.0-4 \
  python3-soupsieve=2.3.2-1 python3-html5lib=1.1-3 python3-webencodings=0.5.1-5 libxslt1.1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
from io import BytesIO
from ofxparse import OfxParser
for time in ("20261201040000", "20261130230000[-5:EST]", "20261130230000[-5]", "20261130230000.000[-5]"):
    payment = f"<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>{time}<TRNAMT>150.00<FITID>1<NAME>Jane Doe</STMTTRN>"
    status = "<STATUS><CODE>0<SEVERITY>INFO</STATUS>"
    signon = f"<SIGNONMSGSRSV1><SONRS>{status}<DTSERVER>20261201<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>"
    balance = "<LEDGERBAL><BALAMT>150.00<DTASOF>20261201</LEDGERBAL>"
    account = "<BANKACCTFROM><BANKID>123456780<ACCTID>1<ACCTTYPE>CHECKING</BANKACCTFROM>"
    dates = "<DTSTART>20261101<DTEND>20261201"
    statement = f"<CURDEF>USD{account}<BANKTRANLIST>{dates}{payment}</BANKTRANLIST>{balance}"
    header = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:160\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
    header += "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"
    answer = f"<STMTTRNRS><TRNUID>1{status}<STMTRS>{statement}</STMTRS></STMTTRNRS>"
    body = f"<OFX>{signon}<BANKMSGSRSV1>{answer}</BANKMSGSRSV1></OFX>"
    (transaction,) = OfxParser.parse(BytesIO((header + body).encode())).account.statement.transactions
    print(time, "is", transaction.date)
END
)

expected=$(cat <<'END'
20261201040000 is 2026-12-01 04:00:00
20261130230000[-5:EST] is 2026-12-01 04:00:00
20261130230000[-5] is 2026-11-30 23:00:00
20261130230000.000[-5] is 2026-11-30 23:00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
