#!/usr/bin/env bash
# @sapphire/duration 1.2.0: half an hour is an hour.
# Guess: what it does not understand has no length: of `two hours` and `half hour` it gives NaN. `half an
# hour` is 30 minutes, or NaN.
# So: the words `an` and `a` are read as one, and the words before them are passed over. A reminder half an
# hour before a consult comes an hour before it.
#
# Output seen on 2026-12-01:
#   30 minutes: 30 minutes
#   an hour: 60 minutes
#   two hours: NaN minutes
#   half hour: NaN minutes
#   half an hour: 60 minutes
#   a quarter of an hour: 60 minutes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @sapphire/duration@1.2.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { Duration } = createRequire(`${process.cwd()}/`)("@sapphire/duration");
for (const text of ["30 minutes", "an hour", "two hours", "half hour", "half an hour", "a quarter of an hour"]) {
  console.log(`${text}: ${new Duration(text).offset / 60_000} minutes`);
}
END
)

expected=$(cat <<'END'
30 minutes: 30 minutes
an hour: 60 minutes
two hours: NaN minutes
half hour: NaN minutes
half an hour: 60 minutes
a quarter of an hour: 60 minutes
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
