#!/usr/bin/env bash
# any-date-parser 2.2.4: 14/03/2026 becomes 3 April.
# Guess: 14/03/2026 is 14 March, for the README has 14/03/2020 in its list of formats, for all locales. A date
# that no format fits gives an invalid date.
# So: in the locale en-US, the 1 is left out and the rest is read as 4/03: each day from the 13th on loses its
# first digit. That locale counts where none is given on a machine of the US, or on one that has none. What is
# given as 31 December, the last day of a deadline, becomes 12 January of the same year, without an error.
#
# Output seen on 2026-11-30:
#   14/03/2026: en-US 2026-04-03, en-GB 2026-03-14
#   25/12/2026: en-US 2026-05-12, en-GB 2026-12-25
#   31/12/2026: en-US 2026-01-12, en-GB 2026-12-31
#   14.03.2026: en-US 2026-03-14, en-GB 2026-03-14
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts any-date-parser@2.2.4

seen=$(TZ=UTC node --input-type=module - <<'END'
import parser from "any-date-parser";
const day = (text, locale) => parser.fromString(text, locale).toISOString().slice(0, 10);
for (const text of ["14/03/2026", "25/12/2026", "31/12/2026", "14.03.2026"]) {
  console.log(`${text}: en-US ${day(text, "en-US")}, en-GB ${day(text, "en-GB")}`);
}
END
)

expected=$(cat <<'END'
14/03/2026: en-US 2026-04-03, en-GB 2026-03-14
25/12/2026: en-US 2026-05-12, en-GB 2026-12-25
31/12/2026: en-US 2026-01-12, en-GB 2026-12-31
14.03.2026: en-US 2026-03-14, en-GB 2026-03-14
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
