#!/usr/bin/env bash
# duration-fns 3.0.2: from 29 November to 2 December are one month less 27 days.
# Guess: `between` gives the time from one date to the other, which leads back to the second date when `apply` adds it
# to the first. The README shows two years for two dates that are two years apart.
# So: a month counts as soon as the number of the month differs. Days are then taken away, and a later addition ends
# in February at another date: from 30 January to the 28th is a month less two days, which leads to the 26th.
#
# Output seen on 2026-11-29:
#   2026-11-02 to 2026-11-29: P27D, which leads to 2026-11-29
#   2026-11-29 to 2026-12-02: P1M-27D, which leads to 2026-12-02
#   2026-01-30 to 2026-02-28: P1M-2D, which leads to 2026-02-26
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts duration-fns@3.0.2

seen=$(TZ=UTC node --input-type=module - <<'END'
import { apply, between, toString } from "duration-fns";
for (const [from, to] of [["2026-11-02", "2026-11-29"], ["2026-11-29", "2026-12-02"], ["2026-01-30", "2026-02-28"]]) {
  const duration = between(from, to);
  const end = apply(from, duration).toISOString().slice(0, 10);
  console.log(`${from} to ${to}: ${toString(duration)}, which leads to ${end}`);
}
END
)

expected=$(cat <<'END'
2026-11-02 to 2026-11-29: P27D, which leads to 2026-11-29
2026-11-29 to 2026-12-02: P1M-27D, which leads to 2026-12-02
2026-01-30 to 2026-02-28: P1M-2D, which leads to 2026-02-26
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
