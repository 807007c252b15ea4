#!/usr/bin/env bash
# react-number-format 5.4.5: the same value with the same options is $66.67 or $66.66.
# Guess: `numericFormatter` gives the text that `NumericFormat` shows, since both take the same options. The
# notes in the documentation say that a value is rounded to `decimalScale`.
# So: the component rounds, and the function cuts off. Two thirds of $100 are a cent less in a mail than on
# the page.
#
# Output seen on 2026-11-29:
#   $66.25 and $66.25
#   $66.67 and $66.66
#   $4.04 and $4.03
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts react@18.3.1 react-dom@18.3.1 \
  react-number-format@5.4.5

seen=$(node --input-type=module - <<'END'
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { NumericFormat, numericFormatter } from "react-number-format";
const options = { prefix: "$", decimalScale: 2, fixedDecimalScale: true };
for (const value of [66.25, 200 / 3, 45.5 * 0.08875]) {
  const shown = renderToStaticMarkup(createElement(NumericFormat, { value, displayType: "text", ...options }));
  console.log(`${shown.replace(/<[^>]+>/gu, "")} and ${numericFormatter(String(value), options)}`);
}
END
)

expected=$(cat <<'END'
$66.25 and $66.25
$66.67 and $66.66
$4.04 and $4.03
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
