#!/usr/bin/env bash
# immutable-ics 0.4.0: a name with a comma or a semicolon is written without quotation marks.
# Guess: the value of a parameter that holds a comma, a semicolon or a colon stands between quotation marks
# (RFC 5545, section 3.2). The README says that the text is written by the specifications of iCalendar, and
# the library does escape the commas of a value.
# So: `Roe, Dana` becomes two values of CN. After a semicolon, the rest of the name is read as another
# parameter, which is not one.
#
# Output seen on 2026-11-29:
#   ATTENDEE;CN=Dana Roe:mailto:dana@example.com
#   ATTENDEE;CN=Roe, Dana:mailto:dana@example.com
#   ATTENDEE;CN=Dana Roe; Legal:mailto:dana@example.com
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts immutable-ics@0.4.0

seen=$(node --input-type=module - <<'END'
import immutable from "immutable-ics";
for (const name of ["Dana Roe", "Roe, Dana", "Dana Roe; Legal"]) {
  const attendee = new immutable.Property({
    name: "ATTENDEE", parameters: { CN: name }, value: "mailto:dana@example.com",
  });
  console.log(attendee.toString());
}
END
)

expected=$(cat <<'END'
ATTENDEE;CN=Dana Roe:mailto:dana@example.com
ATTENDEE;CN=Roe, Dana:mailto:dana@example.com
ATTENDEE;CN=Dana Roe; Legal:mailto:dana@example.com
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
