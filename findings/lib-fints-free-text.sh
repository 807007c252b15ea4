#!/usr/bin/env bash
# lib-fints 1.5.0: what a bank writes about a payment is lost, unless it is in the German structure.
# Guess: field 86 of an MT940 statement, the information to the account owner, is six lines of 65 characters
# of free text, and `Mt940Parser` gives it as the purpose of the transaction. German banks have a structure
# for it, but it is left to each of them (DFÜ-Abkommen, Anlage 3, section 8.2.4, the note).
# So: without the marks ?20 to ?33, nothing of it is in the result, apart from the three digits of its kind.
# Of a payment, the amount is left, and who paid for what is not. No error tells of it.
#
# Output seen on 2026-12-01:
#   166?20Invoice 17?32Dana Roe: {"amount":50,"purpose":"Invoice 17","remoteName":"Dana Roe"}
#   166Invoice 17 Dana Roe: {"amount":50}
#   Invoice 17 Dana Roe: {"amount":50}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts lib-fints@1.5.0

seen=$(TZ=UTC node --input-type=module - <<'END'
import { Mt940Parser } from "lib-fints";
for (const text of ["166?20Invoice 17?32Dana Roe", "166Invoice 17 Dana Roe", "Invoice 17 Dana Roe"]) {
  const lines = [":20:1", ":25:10020030/1234567", ":28C:1/1", ":60F:C261130EUR100,00"];
  lines.push(":61:2612011201C50,00NTRFNONREF//B1", `:86:${text}`, ":62F:C261201EUR150,00", "-", "");
  const [{ transactions }] = new Mt940Parser(lines.join("\r\n")).parse();
  const { amount, purpose, remoteName } = transactions[0];
  console.log(`${text}: ${JSON.stringify({ amount, purpose, remoteName })}`);
}
END
)

expected=$(cat <<'END'
166?20Invoice 17?32Dana Roe: {"amount":50,"purpose":"Invoice 17","remoteName":"Dana Roe"}
166Invoice 17 Dana Roe: {"amount":50}
Invoice 17 Dana Roe: {"amount":50}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
