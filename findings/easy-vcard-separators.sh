#!/usr/bin/env bash
# @covve/easy-vcard 1.1.1: a semicolon in the name of a company ends the name.
# Guess: a writer of vCards escapes semicolons and commas in a text, so that they are not separators (RFC
# 6350, section 3.4). It does so with backslashes.
# So: they are written as they are. `Doe & Roe; LLC` is the company `Doe & Roe` with the department `LLC`, and
# `1 Main St; Apt 2` moves the city to the place of the state. ical.js reads it so, too.
#
# Output seen on 2026-11-30:
#   ADR:;;1 Main St; Apt 2;New York;NY;10001;USA
#   ORG:Doe & Roe; LLC
#   NOTE:A back\\slash, a comma
#   org: ["Doe & Roe"," LLC"]
#   adr: ["","","1 Main St"," Apt 2","New York","NY","10001","USA"]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @covve/easy-vcard@1.1.1 ical.js@2.2.1

seen=$(node --input-type=module - <<'END'
import easy from "@covve/easy-vcard";
import ICAL from "ical.js";
const text = new easy.VCard().setFullName("Jordan Doe").addFirstName("Jordan").addLastName("Doe")
  .addOrganization("Doe & Roe; LLC", []).addAddress("1 Main St; Apt 2", "New York", "NY", "10001", "USA")
  .addNotes("A back\\slash, a comma").toVcard();
console.log(text.match(/^(ORG|ADR|NOTE).*$/gm).join("\n"));
const card = new ICAL.Component(ICAL.parse(text));
for (const name of ["org", "adr"]) console.log(`${name}: ${JSON.stringify(card.getFirstPropertyValue(name))}`);
END
)

expected=$(cat <<'END'
ADR:;;1 Main St; Apt 2;New York;NY;10001;USA
ORG:Doe & Roe; LLC
NOTE:A back\\slash, a comma
org: ["Doe & Roe"," LLC"]
adr: ["","","1 Main St"," Apt 2","New York","NY","10001","USA"]
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
