#!/usr/bin/env bash
# parse-link-header 2.0.0: a comma before a bracket in the title of a link ends the link.
# Guess: what stands between quotation marks is one text. It may hold a comma and a bracket (RFC 8288, section
# 3; RFC 9110, section 5.6.4).
# So: the text is cut at a comma before `<`. What follows is taken as the address of another link, and the
# relation moves there. The client asks for `draft` as its next page.
#
# Output seen on 2026-11-29:
#   Invoices: next is https://api.example/invoices?page=2, title Invoices
#   Invoices, all: next is https://api.example/invoices?page=2, title Invoices, all
#   Invoices, <draft>: next is draft, title undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts parse-link-header@2.0.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const parse = createRequire(`${process.cwd()}/`)("parse-link-header");
for (const title of ["Invoices", "Invoices, all", "Invoices, <draft>"]) {
  const { next } = parse(`<https://api.example/invoices?page=2>; title="${title}"; rel="next"`);
  console.log(`${title}: next is ${next.url}, title ${next.title}`);
}
END
)

expected=$(cat <<'END'
Invoices: next is https://api.example/invoices?page=2, title Invoices
Invoices, all: next is https://api.example/invoices?page=2, title Invoices, all
Invoices, <draft>: next is draft, title undefined
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
