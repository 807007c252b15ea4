#!/usr/bin/env bash
# abook 0.6.1-2+b1 (Debian): the fax number takes the place of the telephone number.
# Guess: `TYPE=WORK,FAX` is a fax number (RFC 2426, section 3.3.1). abook has a field of its own for it.
# So: abook looks for WORK before it looks for FAX. The later line then replaces the one before it. Of a card
# with both numbers, the telephone number is lost. Whoever calls the client reaches the fax machine.
#
# Output seen on 2026-11-29:
#   A telephone number:
#   telephonenumber: +1 212 555 0100
#   A telephone and a fax number:
#   telephonenumber: +1 212 555 0199
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq abook=0.6.1-2+b1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(HOME="$folder" bash -s <<'END'
card() {
  printf '%s\r\n' BEGIN:VCARD VERSION:3.0 'N:Roe;Dana;;;' 'FN:Dana Roe' "$@" END:VCARD >card.vcf
  ./usr/bin/abook --convert --informat vcard --infile card.vcf --outformat ldif | grep -iE 'phone' || true
}
echo 'A telephone number:'
card 'TEL;TYPE=WORK,VOICE:+1 212 555 0100'
echo 'A telephone and a fax number:'
card 'TEL;TYPE=WORK,VOICE:+1 212 555 0100' 'TEL;TYPE=WORK,FAX:+1 212 555 0199'
END
)

expected=$(cat <<'END'
A telephone number:
telephonenumber: +1 212 555 0100
A telephone and a fax number:
telephonenumber: +1 212 555 0199
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
