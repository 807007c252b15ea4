#!/usr/bin/env bash
# miller 6.6.0-2+b3 (Debian): an amount of .50 makes a file that is no JSON.
# Guess: `mlr --icsv --ojson cat` writes JSON, in which a number begins with a digit (RFC 8259, section 6), or
# is a text.
# So: a field that looks like a number is written as it is in the CSV file: .50, -.50 and 1. without quotes,
# as is 0x10. The whole export of a bank cannot be read because of one fee below a dollar, or of a reference
# that happens to look so. `-S`, which takes all fields as text, and `--jvquoteall` help. It is known: pull
# request 2151 of Miller, which is merged, changes it for amounts.
#
# Output seen on 2026-11-30:
#   0.50: {"amount": 0.50}: JSON
#   .50: {"amount": .50}: no JSON
#   -.50: {"amount": -.50}: no JSON
#   1.: {"amount": 1.}: no JSON
#   0x10: {"amount": 0x10}: no JSON
#   +5: {"amount": "+5"}: JSON
#   02139: {"amount": "02139"}: JSON
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq miller=6.6.0-2+b3 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(for amount in 0.50 .50 -.50 1. 0x10 +5 02139; do
  printf 'amount\n%s\n' "$amount" | usr/bin/mlr --icsv --ojsonl cat >line
  printf '%s: %s: ' "$amount" "$(cat line)"
  node --print 'try { JSON.parse(fs.readFileSync("line", "utf8")); "JSON" } catch { "no JSON" }'
done)

expected=$(cat <<'END'
0.50: {"amount": 0.50}: JSON
.50: {"amount": .50}: no JSON
-.50: {"amount": -.50}: no JSON
1.: {"amount": 1.}: no JSON
0x10: {"amount": 0x10}: no JSON
+5: {"amount": "+5"}: JSON
02139: {"amount": "02139"}: JSON
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
