#!/usr/bin/env bash
# url-template 3.1.1: an empty list is sent as an empty value.
# Guess: `{?state}` with an empty list adds nothing. A list without members counts as not defined (RFC 6570,
# section 2.3). What is not defined is left out (section 3.2.1).
# So: `?state=` is sent. A server that reads it asks for invoices whose state is empty. It finds none, or
# refuses the call. In the exploded form the empty list is left out.
#
# Output seen on 2026-11-29:
#   /invoices{?state,limit} ["open","paid"]: /invoices?state=open,paid&limit=5
#   /invoices{?state,limit} []: /invoices?state=&limit=5
#   /invoices{?state,limit} undefined: /invoices?limit=5
#   /invoices{?state*,limit} ["open","paid"]: /invoices?state=open&state=paid&limit=5
#   /invoices{?state*,limit} []: /invoices?limit=5
#   /invoices{?state*,limit} undefined: /invoices?limit=5
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts url-template@3.1.1

seen=$(node --input-type=module - <<'END'
import { parseTemplate } from "url-template";
for (const template of ["/invoices{?state,limit}", "/invoices{?state*,limit}"])
  for (const state of [["open", "paid"], [], undefined])
    console.log(`${template} ${JSON.stringify(state)}: ${parseTemplate(template).expand({ state, limit: 5 })}`);
END
)

expected=$(cat <<'END'
/invoices{?state,limit} ["open","paid"]: /invoices?state=open,paid&limit=5
/invoices{?state,limit} []: /invoices?state=&limit=5
/invoices{?state,limit} undefined: /invoices?limit=5
/invoices{?state*,limit} ["open","paid"]: /invoices?state=open&state=paid&limit=5
/invoices{?state*,limit} []: /invoices?limit=5
/invoices{?state*,limit} undefined: /invoices?limit=5
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
