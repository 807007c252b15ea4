#!/usr/bin/env bash
# csv-parse 7.0.3: `cast: true` makes 0 of every field in hexadecimal.
# Guess: `cast` makes numbers of what is a number, and leaves everything else as it is written.
# So: a field counts as a number if JavaScript can read it as one, and is then read by `parseFloat`, which
# stops at the `x`. In an export of a crypto exchange for a tax return every wallet and every transaction
# becomes 0.
#
# Output seen on 2026-11-29:
#   {"amount":0.5,"wallet":0,"note":"from 0xa1"}
#   {"amount":1.25,"wallet":0,"note":"from 0xb2"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts csv-parse@7.0.3

seen=$(node --input-type=module - <<'END'
import { parse } from "csv-parse/sync";
const csv = [
  "amount,wallet,note",
  "0.5,0x00000000000000000000000000000000000000a1,from 0xa1",
  "1.25,0x00000000000000000000000000000000000000b2,from 0xb2",
].join("\n");
for (const record of parse(csv, { columns: true, cast: true })) console.log(JSON.stringify(record));
END
)

expected=$(cat <<'END'
{"amount":0.5,"wallet":0,"note":"from 0xa1"}
{"amount":1.25,"wallet":0,"note":"from 0xb2"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
