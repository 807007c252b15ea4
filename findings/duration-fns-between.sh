#!/usr/bin/env bash
# duration-fns 3.0.2: the time from 29 November to 2 December is a month less 27 days.
# Guess: the time between two dates has one sign. `apply` adds it to the first date, and the result is the
# second date.
# So: `between` counts a month as soon as the number of the month differs. It then takes days away. From 30
# January to 28 February it gives a month less two days. `apply` makes 26 February of that.
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
