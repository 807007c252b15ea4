#!/usr/bin/env bash
# chrono-node 2.10.3: in `Dec 1 10 a.m.` the hour is read as a year.
# Guess: a parser for what people write in English reads `10 a.m.` as it reads `10am`.
# So: where the hour has two digits and the points are written, the number after the day becomes a year: the
# first of December 2010 at noon. With `9 a.m.`, with `10am`, or with `at` between, the time is right.
#
# Output seen on 2026-11-29:
#   Dec 1 9 a.m.: 2026-12-01T14:00:00.000Z
#   Dec 1 10am: 2026-12-01T15:00:00.000Z
#   Dec 1 at 10 a.m.: 2026-12-01T15:00:00.000Z
#   Dec 1 10 a.m.: 2010-12-01T17:00:00.000Z
#   Dec 1 11 a.m.: 2011-12-01T17:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts chrono-node@2.10.3

seen=$(node --input-type=module - <<'END'
import * as chrono from "chrono-node";
const today = { instant: new Date("2026-11-20T15:00:00Z"), timezone: -300 };
for (const text of ["Dec 1 9 a.m.", "Dec 1 10am", "Dec 1 at 10 a.m.", "Dec 1 10 a.m.", "Dec 1 11 a.m."])
  console.log(`${text}: ${chrono.parseDate(text, today).toISOString()}`);
END
)

expected=$(cat <<'END'
Dec 1 9 a.m.: 2026-12-01T14:00:00.000Z
Dec 1 10am: 2026-12-01T15:00:00.000Z
Dec 1 at 10 a.m.: 2026-12-01T15:00:00.000Z
Dec 1 10 a.m.: 2010-12-01T17:00:00.000Z
Dec 1 11 a.m.: 2011-12-01T17:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
