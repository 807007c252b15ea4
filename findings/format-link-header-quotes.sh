#!/usr/bin/env bash
# format-link-header 3.1.1: a quotation mark in the title of a link ends the title.
# Guess: a quotation mark within a quoted text is written with a backslash before it (RFC 7230, section 3.2.6,
# which RFC 8288, section 3, takes for the parameters of a link). The README promises the format of RFC 5988,
# the edition before it.
# So: the title is written as it is. It ends at its first quotation mark, and a strict reader refuses the
# header.
#
# Output seen on 2026-12-01:
#   </a>; rel="next"; title="the \"first\" consult": the "first" consult
#   </a>; rel="next"; title="the "first" consult": cannot be read
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts format-link-header@3.1.1 linkheader-parser@0.1.2

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const require = createRequire(`${process.cwd()}/`);
const format = require("format-link-header");
const { parse } = require("linkheader-parser");
const show = (header) => {
  let seen;
  try {
    seen = parse(header).next.title;
  } catch {
    seen = "cannot be read";
  }
  console.log(`${header}: ${seen}`);
};
show('</a>; rel="next"; title="the \\"first\\" consult"');
show((format.default ?? format)({ next: { url: "/a", rel: "next", title: 'the "first" consult' } }));
END
)

expected=$(cat <<'END'
</a>; rel="next"; title="the \"first\" consult": the "first" consult
</a>; rel="next"; title="the "first" consult": cannot be read
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
