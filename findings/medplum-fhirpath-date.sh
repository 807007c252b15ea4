#!/usr/bin/env bash
# @medplum/core 4.5.2: seven days after 2026-12-01 is 2026-12-017.
# Guess: `evalFhirPath` adds a length of time to a date, or fails. The README says that the package evaluates
# FHIRPath, whose official tests have 1974-01-01 for @1973-12-25 + 7 days (testPlusDate1).
# So: `+` puts the number behind the text of the date, and `-` gives NaN. Neither is an error. Whether 5
# December is within seven days of the first is answered, and the answer is no.
#
# Output seen on 2026-12-01:
#   @1973-12-25 + 7 days: 1973-12-257
#   @2026-12-01 + 7 days: 2026-12-017
#   @2026-12-01 - 1 day: NaN
#   2 + 3: 5
#   @2026-12-05 <= (@2026-12-01 + 7 days): false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @medplum/core@4.5.2

seen=$(TZ=UTC node --input-type=module - <<'END'
import { evalFhirPath } from "@medplum/core";
for (const path of ["@1973-12-25 + 7 days", "@2026-12-01 + 7 days", "@2026-12-01 - 1 day", "2 + 3"])
  console.log(`${path}: ${evalFhirPath(path, {})}`);
const due = "@2026-12-05 <= (@2026-12-01 + 7 days)";
console.log(`${due}: ${evalFhirPath(due, {})}`);
END
)

expected=$(cat <<'END'
@1973-12-25 + 7 days: 1973-12-257
@2026-12-01 + 7 days: 2026-12-017
@2026-12-01 - 1 day: NaN
2 + 3: 5
@2026-12-05 <= (@2026-12-01 + 7 days): false
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
