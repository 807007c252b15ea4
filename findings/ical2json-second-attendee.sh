#!/usr/bin/env bash
# ical2json 5.0.0: an attendee without parameters is lost when the calendar is written again.
# Guess: `revert(convert(calendar))` is the calendar, as the documentation of `revert` has it: JSON back to iCalendar.
# So: where a property comes several times, and its first value has parameters, each letter of a value without any
# becomes a parameter of its own, and the address is `undefined`. The client is not invited. An EXDATE in UTC beside
# one with a TZID is lost in the same way, so that the date that was cancelled takes place.
#
# Output seen on 2026-12-01:
#   ATTENDEE:mailto:a@example.com
#   ATTENDEE:mailto:b@example.com
#     ATTENDEE:mailto:a@example.com
#     ATTENDEE:mailto:b@example.com
#   ATTENDEE;ROLE=CHAIR:mailto:a@example.com
#   ATTENDEE:mailto:b@example.com
#     ATTENDEE;ROLE=CHAIR:mailto:a@example.com
#     ATTENDEE;0=m;1=a;2=i;3=l;4=t;5=o;6=:;7=b;8=@;9=e;10=x;11=a;12=m;13=p;14=l;15=e;16=.;17=c;18=o;19=m:undefined
#   EXDATE;TZID=America/New_York:20261208T100000
#   EXDATE:20261215T150000Z
#     EXDATE;TZID=America/New_York:20261208T100000
#     EXDATE;0=2;1=0;2=2;3=6;4=1;5=2;6=1;7=5;8=T;9=1;10=5;11=0;12=0;13=0;14=0;15=Z:undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical2json@5.0.0

seen=$(node --input-type=module - <<'END'
import { convert, revert } from "ical2json";
for (const lines of [
  ["ATTENDEE:mailto:a@example.com", "ATTENDEE:mailto:b@example.com"],
  ["ATTENDEE;ROLE=CHAIR:mailto:a@example.com", "ATTENDEE:mailto:b@example.com"],
  ["EXDATE;TZID=America/New_York:20261208T100000", "EXDATE:20261215T150000Z"],
]) {
  const event = ["BEGIN:VEVENT", ...lines, "END:VEVENT"];
  console.log(lines.join("\n"));
  const written = revert(convert(event.join("\r\n"))).replace(/\r?\n /g, "").split(/\r?\n/);
  console.log(written.filter((line) => /^(ATT|EXD)/.test(line)).map((line) => `  ${line}`).join("\n"));
}
END
)

expected=$(cat <<'END'
ATTENDEE:mailto:a@example.com
ATTENDEE:mailto:b@example.com
  ATTENDEE:mailto:a@example.com
  ATTENDEE:mailto:b@example.com
ATTENDEE;ROLE=CHAIR:mailto:a@example.com
ATTENDEE:mailto:b@example.com
  ATTENDEE;ROLE=CHAIR:mailto:a@example.com
  ATTENDEE;0=m;1=a;2=i;3=l;4=t;5=o;6=:;7=b;8=@;9=e;10=x;11=a;12=m;13=p;14=l;15=e;16=.;17=c;18=o;19=m:undefined
EXDATE;TZID=America/New_York:20261208T100000
EXDATE:20261215T150000Z
  EXDATE;TZID=America/New_York:20261208T100000
  EXDATE;0=2;1=0;2=2;3=6;4=1;5=2;6=1;7=5;8=T;9=1;10=5;11=0;12=0;13=0;14=0;15=Z:undefined
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
