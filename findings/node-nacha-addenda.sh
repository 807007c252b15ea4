#!/usr/bin/env bash
# @midlandsbank/node-nacha 0.4.0: an addenda record names the entry after its own.
# Guess: positions 88 to 94 of an addenda record are the last seven digits of the trace number of the entry
# that it belongs to, as the rules of Nacha say of the Entry Detail Sequence Number.
# So: trace numbers are counted from zero, and the addenda from one. The remittance text of one payee is tied
# to the next payee, or to none, and a bank that checks it refuses the file.
#
# Output seen on 2026-11-29:
#   entry 0000000: Dana Roe
#   addenda to 0000001: Invoice 1
#   entry 0000001: Kim Doe
#   addenda to 0000002: Invoice 2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @midlandsbank/node-nacha@0.4.0

seen=$(node --input-type=module - <<'END'
import nacha from "@midlandsbank/node-nacha";
const payee = (name, addenda) => ({
  name, addenda, account: { num: "135792468", type: "C" }, routing: "021000021", amount: 12345,
});
const { data } = nacha.from(
  nacha.create({ from: { name: "Practice", fein: "123456789" }, for: { name: "Bank", routing: "021000021" } })
    .ccd({ effectiveDate: "261203", description: "Payment", note: "", date: "Dec 3" })
    .credit(payee("Dana Roe", "Invoice 1"))
    .credit(payee("Kim Doe", "Invoice 2")),
);
for (const record of nacha.from(data).to("ach").split(/\r?\n/)) {
  if (record[0] === "6") console.log(`entry ${record.slice(87)}: ${record.slice(54, 76).trim()}`);
  if (record[0] === "7") console.log(`addenda to ${record.slice(87)}: ${record.slice(3, 83).trim()}`);
}
END
)

expected=$(cat <<'END'
entry 0000000: Dana Roe
addenda to 0000001: Invoice 1
entry 0000001: Kim Doe
addenda to 0000002: Invoice 2
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
