#!/usr/bin/env bash
# isodate 0.1.4: an offset moves a time in the wrong direction.
# Guess: 10:00 with the offset -05:00 is 15:00 in UTC (RFC 3339, section 4.2). The README says that times with
# an offset are read.
# So: the offset is added, where it should be taken away. On a machine in UTC, a consult at 10:00 in New York
# is at 05:00 UTC, ten hours early.
#
# Output seen on 2026-11-29:
#   2026-12-02T15:00:00Z: 2026-12-02T15:00:00.000Z
#   2026-12-02T10:00:00-05:00: 2026-12-02T05:00:00.000Z
#   2026-12-02T16:00:00+01:00: 2026-12-02T17:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts isodate@0.1.4

seen=$(TZ=UTC node --input-type=module - <<'END'
import isodate from "isodate";
for (const time of ["2026-12-02T15:00:00Z", "2026-12-02T10:00:00-05:00", "2026-12-02T16:00:00+01:00"])
  console.log(`${time}: ${isodate(time).toISOString()}`);
END
)

expected=$(cat <<'END'
2026-12-02T15:00:00Z: 2026-12-02T15:00:00.000Z
2026-12-02T10:00:00-05:00: 2026-12-02T05:00:00.000Z
2026-12-02T16:00:00+01:00: 2026-12-02T17:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
