#!/usr/bin/env bash
# abook 0.6.1-2+b1 (Debian): an address with a post office box has no box.
# Guess: the first part of ADR is the post office box (RFC 2426, section 3.2.1). It is kept in the address,
# since it says where the mail goes.
# So: the box is left out without an error. Of a client who has only a box, the city and the ZIP code are
# left. A letter to that address does not arrive.
#
# Output seen on 2026-11-29:
#   locality: Albany
#   st: NY
#   postalcode: 12201
#   countryname: USA
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq abook=0.6.1-2+b1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(HOME="$folder" bash -s <<'END'
printf '%s\r\n' BEGIN:VCARD VERSION:3.0 'N:Roe;Dana;;;' 'FN:Dana Roe' \
  'ADR;TYPE=WORK:PO Box 5;;;Albany;NY;12201;USA' END:VCARD >card.vcf
./usr/bin/abook --convert --informat vcard --infile card.vcf --outformat ldif |
  grep -E '^(street.*|locality|st|postalcode|countryname): .'
END
)

expected=$(cat <<'END'
locality: Albany
st: NY
postalcode: 12201
countryname: USA
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
