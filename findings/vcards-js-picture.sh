#!/usr/bin/env bash
# vcards-js 2.11.1: a picture within a vCard 4.0 is no picture.
# Guess: PHOTO is a URI such as `data:image/png;base64,…` (RFC 6350, section 6.2.4). A backslash before a comma is for
# texts (section 3.4), and a URI has no backslash (RFC 3986, section 2).
# So: the comma of the URI gets a backslash. What stands after `base64` is then not decoded, and the address book
# shows no picture of the client. In vCard 3.0 the picture is whole.
#
# Output seen on 2026-11-29:
#   data:image/png;base64\,cGljdHVyZQ== is "cGljdHVyZQ=="
#   data:image/png;base64,cGljdHVyZQ== is "picture"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts vcards-js@2.11.1

seen=$(node --input-type=module - <<'END'
import vCards from "vcards-js";
const picture = Buffer.from("picture").toString("base64");
const card = vCards();
card.version = "4.0";
card.firstName = "Dana";
card.lastName = "Roe";
card.photo.embedFromString(picture, "image/png");
const line = card.getFormattedString().split("\r\n").find((text) => text.startsWith("PHOTO"));
const uri = line.slice(line.indexOf("data:"));
for (const text of [uri, `data:image/png;base64,${picture}`])
  console.log(`${text} is ${JSON.stringify(await (await fetch(text)).text())}`);
END
)

expected=$(cat <<'END'
data:image/png;base64\,cGljdHVyZQ== is "cGljdHVyZQ=="
data:image/png;base64,cGljdHVyZQ== is "picture"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
