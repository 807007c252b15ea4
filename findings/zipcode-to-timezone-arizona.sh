#!/usr/bin/env bash
# zipcode-to-timezone 0.0.9: Show Low in Arizona has summer time.
# Guess: a ZIP code has the zone of its place. In Arizona only the Navajo Nation changes its clocks.
# So: Show Low, Benson and Sonoita, which are not of the Navajo Nation, have the zone of Denver, of which
# Shiprock is another name. All summer, a consult by telephone is an hour off there. Phoenix and Window Rock,
# which is of the Nation, are right.
#
# Output seen on 2026-11-30:
#   85001 Phoenix: America/Phoenix, 10:00 AM
#   85602 Benson: America/Denver, 11:00 AM
#   85637 Sonoita: America/Denver, 11:00 AM
#   85901 Show Low: America/Shiprock, 11:00 AM
#   86515 Window Rock: America/Shiprock, 11:00 AM
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts zipcode-to-timezone@0.0.9

seen=$(node --input-type=module - <<'END'
import zones from "zipcode-to-timezone";
const places = { 85001: "Phoenix", 86515: "Window Rock", 85901: "Show Low", 85602: "Benson", 85637: "Sonoita" };
for (const [code, place] of Object.entries(places)) {
  const timeZone = zones.lookup(code);
  const hour = new Date("2026-07-01T17:00:00Z").toLocaleTimeString("en-US", { timeZone, timeStyle: "short" });
  console.log(`${code} ${place}: ${timeZone}, ${hour.replace(/\s/, " ")}`);
}
END
)

expected=$(cat <<'END'
85001 Phoenix: America/Phoenix, 10:00 AM
85602 Benson: America/Denver, 11:00 AM
85637 Sonoita: America/Denver, 11:00 AM
85901 Show Low: America/Shiprock, 11:00 AM
86515 Window Rock: America/Shiprock, 11:00 AM
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
