#!/usr/bin/env bash
# cbor-x 1.6.9: an integer of 2^32 or more is written as a floating-point number.
# Guess: a safe integer is a CBOR integer of major type 0 or 1 (RFC 8949, section 3.1), as in cborg.
# So: only integers of 32 bits are. A time in milliseconds has major type 7, so that one map has other bytes, and
# another hash, than from a library that writes it as an integer. `alwaysUseFloat` is off.
#
# Output seen on 2026-11-29:
#   4294967295: cbor-x 1affffffff, cborg 1affffffff
#   4294967296: cbor-x fb41f0000000000000, cborg 1b0000000100000000
#   1796000000000: cbor-x fb427a229f12800000, cborg 1b000001a229f12800
#   -4294967297: cbor-x fbc1f0000000100000, cborg 3b0000000100000000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cbor-x@1.6.9 cborg@6.1.5

seen=$(node --input-type=module - <<'END'
import * as cborX from "cbor-x";
import * as cborg from "cborg";
const hex = (bytes) => Buffer.from(bytes).toString("hex");
for (const integer of [4294967295, 4294967296, 1796000000000, -4294967297])
  console.log(`${integer}: cbor-x ${hex(cborX.encode(integer))}, cborg ${hex(cborg.encode(integer))}`);
END
)

expected=$(cat <<'END'
4294967295: cbor-x 1affffffff, cborg 1affffffff
4294967296: cbor-x fb41f0000000000000, cborg 1b0000000100000000
1796000000000: cbor-x fb427a229f12800000, cborg 1b000001a229f12800
-4294967297: cbor-x fbc1f0000000100000, cborg 3b0000000100000000
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
