#!/usr/bin/env bash
# qif2json 0.4.0: the part of a split transaction that is a thousand or more becomes one.
# Guess: the amount of a split (`$`) is read as the amount of the transaction (`T`), where a comma separates
# thousands, as Quicken writes them.
# So: it is cut off at the comma. A rent of 1,000.00 within a payment of 1,234.50 is booked as 1. The parts
# then no longer make up the whole, and nothing says so.
#
# Output seen on 2026-11-29:
#   transaction: -1234.5
#   Rent: -1
#   Power: -234.5
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts qif2json@0.4.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { parse } = createRequire(`${process.cwd()}/`)("qif2json");
const lines = ["!Type:Bank", "D11/03/2026", "T-1,234.50", "PDana Roe", "SRent", "$-1,000.00", "SPower", "$-234.50", "^"];
const [{ amount, division }] = parse(lines.join("\n"), { dateFormat: "us" }).transactions;
console.log(`transaction: ${amount}`);
for (const part of division) console.log(`${part.category}: ${part.amount}`);
END
)

expected=$(cat <<'END'
transaction: -1234.5
Rent: -1
Power: -234.5
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
