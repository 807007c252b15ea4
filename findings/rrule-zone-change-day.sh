#!/usr/bin/env bash
# rrule 2.8.1: on the Sunday on which the clocks change, a time with TZID is read an hour off.
# Guess: `DTSTART;TZID=America/Los_Angeles` at 8:00 is 8:00 there on every day. On a machine in UTC, where the
# dates that rrule returns are true instants, nothing can go wrong.
# So: the offset of a zone is looked up as if its clock time were in UTC. At 8:00 in UTC Los Angeles has not
# changed its clocks yet, so that the whole morning of that Sunday is read with the offset of the day before.
# A reminder goes out an hour early in autumn and an hour late in spring. The week after is right again.
#
# Output seen on 2026-11-29:
#   2026-03-01 08:00, 2026-03-08 09:00, 2026-03-15 08:00
#   2026-10-25 08:00, 2026-11-01 07:00, 2026-11-08 08:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule@2.8.1

seen=$(node --input-type=module - <<'END'
import rrule from "rrule";
process.env.TZ = "UTC";
const zone = "America/Los_Angeles";
for (const start of ["20260301T080000", "20261025T080000"]) {
  const rule = rrule.rrulestr(`DTSTART;TZID=${zone}:${start}\nRRULE:FREQ=WEEKLY;COUNT=3`);
  const times = rule.all().map((time) => time.toLocaleString("sv", { timeZone: zone }).slice(0, 16));
  console.log(times.join(", "));
}
END
)

expected=$(cat <<'END'
2026-03-01 08:00, 2026-03-08 09:00, 2026-03-15 08:00
2026-10-25 08:00, 2026-11-01 07:00, 2026-11-08 08:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
