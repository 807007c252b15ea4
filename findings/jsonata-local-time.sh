#!/usr/bin/env bash
# jsonata 2.2.2: a time without an offset is in UTC with a picture, and in the zone of the machine without
# one.
# Guess: `$toMillis` reads 2026-12-01T10:00:00 as one instant, with or without the picture of that very form.
# The zone of the machine plays no part, as in `$fromMillis`, whose times are in UTC if no other zone is
# given.
# So: without a picture, the time is handed to the Date of JavaScript, which takes it for local; a date alone
# is in UTC there. A flow of Node-RED in New York gets two answers for one time. It depends on the zone of the
# machine, which is set here.
#
# Output seen on 2026-11-30:
#   "2026-12-01" is 2026-12-01T00:00:00.000Z
#   "2026-12-01T10:00:00" is 2026-12-01T15:00:00.000Z
#   "2026-12-01T10:00:00", "[Y]-[M]-[D]T[H]:[m]:[s]" is 2026-12-01T10:00:00.000Z
#   "2026-12-01T10:00:00-05:00" is 2026-12-01T15:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts jsonata@2.2.2

seen=$(TZ=America/New_York node --input-type=module - <<'END'
import jsonata from "jsonata";
for (const argument of [
  '"2026-12-01"',
  '"2026-12-01T10:00:00"',
  '"2026-12-01T10:00:00", "[Y]-[M]-[D]T[H]:[m]:[s]"',
  '"2026-12-01T10:00:00-05:00"',
]) {
  const time = await jsonata(`$fromMillis($toMillis(${argument}))`).evaluate({});
  console.log(`${argument} is ${time}`);
}
END
)

expected=$(cat <<'END'
"2026-12-01" is 2026-12-01T00:00:00.000Z
"2026-12-01T10:00:00" is 2026-12-01T15:00:00.000Z
"2026-12-01T10:00:00", "[Y]-[M]-[D]T[H]:[m]:[s]" is 2026-12-01T10:00:00.000Z
"2026-12-01T10:00:00-05:00" is 2026-12-01T15:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
