#!/usr/bin/env bash
# aws-cron-parser 1.1.12: the event of the 31st comes on the first, too.
# Guess: AWS runs what is scheduled for the 31st in the months that have one.
# So: a day that a month does not have is counted on into the next month: 31 November is 1 December, and 31
# February is 3 March. The event of 29 February is on 1 March where there is no leap year. Backwards, `prev`
# is right.
#
# Output seen on 2026-11-30:
#   next of 0 10 31 * ? *: 2026-12-01, 2026-12-31, 2027-01-31, 2027-03-03, 2027-03-31
#   prev of 0 10 31 * ? *: 2026-10-31, 2026-08-31, 2026-07-31, 2026-05-31, 2026-03-31
#   next of 0 10 29 2 ? *: 2027-03-01, 2028-02-29, 2029-03-01, 2030-03-01, 2031-03-01
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts aws-cron-parser@1.1.12

seen=$(node --input-type=module - <<'END'
import parser from "aws-cron-parser";
for (const [move, event] of [["next", "0 10 31 * ? *"], ["prev", "0 10 31 * ? *"], ["next", "0 10 29 2 ? *"]]) {
  const dates = [];
  for (let last = new Date("2026-11-29T12:00:00Z"); dates.length < 5; dates.push(last)) {
    last = parser[move](parser.parse(event), last);
  }
  console.log(`${move} of ${event}: ${dates.map((date) => date.toISOString().slice(0, 10)).join(", ")}`);
}
END
)

expected=$(cat <<'END'
next of 0 10 31 * ? *: 2026-12-01, 2026-12-31, 2027-01-31, 2027-03-03, 2027-03-31
prev of 0 10 31 * ? *: 2026-10-31, 2026-08-31, 2026-07-31, 2026-05-31, 2026-03-31
next of 0 10 29 2 ? *: 2027-03-01, 2028-02-29, 2029-03-01, 2030-03-01, 2031-03-01
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
