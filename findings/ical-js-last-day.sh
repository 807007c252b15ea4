#!/usr/bin/env bash
# ical.js 2.2.1: the last day of April is the first of May.
# Guess: `BYMONTHDAY=-1` is the last day of each month that the rule names (RFC 5545, section 3.3.10). This
# holds for a yearly rule, too. Form 941 is due at the end of January, April, July and October.
# So: in a yearly rule with January, the length of one month counts for all of them. April gets 31 days. The
# reminder comes on the day after the form was due. With `FREQ=MONTHLY`, or with April alone, the dates are
# right.
#
# Output seen on 2026-11-29:
#   FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=-1;COUNT=4:
#     2026-01-31 2026-05-01 2026-07-31 2026-10-31
#   FREQ=MONTHLY;BYMONTH=1,4,7,10;BYMONTHDAY=-1;COUNT=4:
#     2026-01-31 2026-04-30 2026-07-31 2026-10-31
#   FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=-1;COUNT=2:
#     2026-04-30 2027-04-30
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ical.js@2.2.1

seen=$(node --input-type=module - <<'END'
import ICAL from "ical.js";
for (const [start, rule] of [
  ["2026-01-31", "FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=-1;COUNT=4"],
  ["2026-01-31", "FREQ=MONTHLY;BYMONTH=1,4,7,10;BYMONTHDAY=-1;COUNT=4"],
  ["2026-04-30", "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=-1;COUNT=2"],
]) {
  const times = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString(start));
  const dates = [];
  for (let date = times.next(); date; date = times.next()) dates.push(date.toString());
  console.log(`${rule}:\n  ${dates.join(" ")}`);
}
END
)

expected=$(cat <<'END'
FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=-1;COUNT=4:
  2026-01-31 2026-05-01 2026-07-31 2026-10-31
FREQ=MONTHLY;BYMONTH=1,4,7,10;BYMONTHDAY=-1;COUNT=4:
  2026-01-31 2026-04-30 2026-07-31 2026-10-31
FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=-1;COUNT=2:
  2026-04-30 2027-04-30
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
