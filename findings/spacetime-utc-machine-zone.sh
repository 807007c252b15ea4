#!/usr/bin/env bash
# spacetime 7.15.0: a time in UTC is read an hour off, where the clocks of the machine change on that date.
# Guess: `2026-11-01T04:30:00Z` names one instant (RFC 3339, section 5.6), whatever the zone of the machine
# is.
# So: on a machine in New York it is read as 05:30 in UTC. In spring such a time is read an hour early. It is
# so in hours before the clocks of the machine change. A zone as second argument does not help.
#
# Output seen on 2026-11-29:
#   2026-03-08T06:30:00Z on a machine in UTC: 2026-03-08T06:30:00.000Z
#   2026-11-01T04:30:00Z on a machine in UTC: 2026-11-01T04:30:00.000Z
#   2026-11-02T04:30:00Z on a machine in UTC: 2026-11-02T04:30:00.000Z
#   2026-03-08T06:30:00Z on a machine in America/New_York: 2026-03-08T05:30:00.000Z
#   2026-11-01T04:30:00Z on a machine in America/New_York: 2026-11-01T05:30:00.000Z
#   2026-11-02T04:30:00Z on a machine in America/New_York: 2026-11-02T04:30:00.000Z
#   2026-03-08T06:30:00Z on a machine in America/Los_Angeles: 2026-03-08T05:30:00.000Z
#   2026-11-01T04:30:00Z on a machine in America/Los_Angeles: 2026-11-01T05:30:00.000Z
#   2026-11-02T04:30:00Z on a machine in America/Los_Angeles: 2026-11-02T04:30:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts spacetime@7.15.0

seen=$(node --input-type=module - <<'END'
import spacetime from "spacetime";
for (const zone of ["UTC", "America/New_York", "America/Los_Angeles"]) {
  process.env.TZ = zone;
  for (const time of ["2026-03-08T06:30:00Z", "2026-11-01T04:30:00Z", "2026-11-02T04:30:00Z"])
    console.log(`${time} on a machine in ${zone}: ${new Date(spacetime(time).epoch).toISOString()}`);
}
END
)

expected=$(cat <<'END'
2026-03-08T06:30:00Z on a machine in UTC: 2026-03-08T06:30:00.000Z
2026-11-01T04:30:00Z on a machine in UTC: 2026-11-01T04:30:00.000Z
2026-11-02T04:30:00Z on a machine in UTC: 2026-11-02T04:30:00.000Z
2026-03-08T06:30:00Z on a machine in America/New_York: 2026-03-08T05:30:00.000Z
2026-11-01T04:30:00Z on a machine in America/New_York: 2026-11-01T05:30:00.000Z
2026-11-02T04:30:00Z on a machine in America/New_York: 2026-11-02T04:30:00.000Z
2026-03-08T06:30:00Z on a machine in America/Los_Angeles: 2026-03-08T05:30:00.000Z
2026-11-01T04:30:00Z on a machine in America/Los_Angeles: 2026-11-01T05:30:00.000Z
2026-11-02T04:30:00Z on a machine in America/Los_Angeles: 2026-11-02T04:30:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
