#!/usr/bin/env bash
# survey-core 3.1.1: an account number that was typed again without its zeros is the same.
# Guess: `{account} = {again}` compares what was typed into two text fields, to find a typing error.
# So: two texts that look like numbers are compared as numbers. `000123456` is `123456`, and the invoice `12E4` is the
# invoice `120000`. The form is sent without an error, and only one of the two is an account number.
#
# Output seen on 2026-11-29:
#   123456789 and 123456780: not equal
#   000123456 and 123456: equal
#   12E4 and 120000: equal
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts survey-core@3.1.1

seen=$(node --input-type=module - <<'END'
import { Model } from "survey-core";
const expression = "{account} = {again}";
const elements = [
  { type: "text", name: "account" },
  { type: "text", name: "again", validators: [{ type: "expression", expression }] },
];
for (const [account, again] of [["123456789", "123456780"], ["000123456", "123456"], ["12E4", "120000"]]) {
  const survey = new Model({ elements });
  survey.data = { account, again };
  console.log(`${account} and ${again}: ${survey.validate() ? "equal" : "not equal"}`);
}
END
)

expected=$(cat <<'END'
123456789 and 123456780: not equal
000123456 and 123456: equal
12E4 and 120000: equal
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
