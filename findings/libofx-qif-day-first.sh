#!/usr/bin/env bash
# ofx 1:0.10.9-1 (Debian): in QIF, 3 November becomes 11 March.
# Guess: `ofx2qif` writes the dates of a US bank's statement as Quicken reads them in the US, month first, or so that
# they cannot be taken for others. Its manual promises files that will import in just about every software, and says
# that it has no options.
# So: they are written day first, whatever the currency, the bank and the locale are. Of the dates up to the twelfth of
# a month, all are booked in another month, without an error. Years of taxes can be affected: 1 December 2026 is read as
# 12 January.
#
# Output seen on 2026-12-01:
#   D3/11/2026
#   T-20.00
#   D30/11/2026
#   T-20.00
#   D1/12/2026
#   T-20.00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ofx=1:0.10.9-1 libofx7=1:0.10.9-1 libosp5=1.5.2-13+b2 libxml++2.6-2v5 libglibmm-2.4-1v5 \
  libsigc++-2.0-0v5 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH="$folder/usr/lib:$(echo "$folder"/usr/lib/*-linux-gnu)"
export OFX_DTD_PATH="$folder/usr/share/libofx7/libofx/dtd"

transaction() { echo "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>$1120000<TRNAMT>-20.00<FITID>$1<NAME>Fee</STMTTRN>"; }
cat >statement.ofx <<END
OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20261201<LANGUAGE>ENG</SONRS>
</SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>011000015<ACCTID>123456<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20261101
<DTEND>20261201$(transaction 20261103)$(transaction 20261130)$(transaction 20261201)</BANKTRANLIST>
<LEDGERBAL><BALAMT>100.00<DTASOF>20261201</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
END
seen=$(LC_ALL=C TZ=America/New_York usr/bin/ofx2qif statement.ofx 2>/dev/null | grep -a -A1 '^D[0-9]' | grep -v '^--')

expected=$(cat <<'END'
D3/11/2026
T-20.00
D30/11/2026
T-20.00
D1/12/2026
T-20.00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
