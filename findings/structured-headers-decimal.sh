#!/usr/bin/env bash
# structured-headers 2.1.0: a decimal is written in a form that structured fields do not have.
# Guess: what `serializeItem` writes, `parseItem` reads.
# So: a number that has no fraction left after rounding to three digits ends in a point. A zero belongs after
# it (RFC 9651, section 4.1.5), so that a reader has to drop the whole field: here its own does.
#
# Output seen on 2026-11-29:
#   2.5 is written 2.5 and read as: 2.5
#   2.0004 is written 2. and read as: Parse error: Decimal cannot end on a period at offset 2
#   0.0004 is written 0. and read as: Parse error: Decimal cannot end on a period at offset 2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts structured-headers@2.1.0

seen=$(node --input-type=module - <<'END'
import { parseItem, serializeItem } from "structured-headers";
for (const number of [2.5, 2.0004, 0.0004]) {
  const text = serializeItem(number);
  let again;
  try {
    again = parseItem(text)[0];
  } catch (error) {
    again = error.message;
  }
  console.log(`${number} is written ${text} and read as: ${again}`);
}
END
)

expected=$(cat <<'END'
2.5 is written 2.5 and read as: 2.5
2.0004 is written 2. and read as: Parse error: Decimal cannot end on a period at offset 2
0.0004 is written 0. and read as: Parse error: Decimal cannot end on a period at offset 2
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
