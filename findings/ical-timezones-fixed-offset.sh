#!/usr/bin/env bash
# @touch4it/ical-timezones 1.9.0: the VTIMEZONE of `Etc/GMT+5` is five hours ahead of UTC.
# Guess: the names of IANA have the sign of POSIX, so `Etc/GMT+5` is -05:00, as Intl says.
# So: the component says +0500. A calendar program that uses it shows the event ten hours off.
# `America/Bogota`, which has the same offset all year, is right.
#
# Output seen on 2026-11-28:
#   America/Bogota: VTIMEZONE -0500, Intl GMT-05:00
#   Etc/GMT+5: VTIMEZONE +0500, Intl GMT-05:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @touch4it/ical-timezones@1.9.0

seen=$(node --input-type=module - <<'END'
import timezones from "@touch4it/ical-timezones";
for (const timeZone of ["America/Bogota", "Etc/GMT+5"]) {
  const [, offset] = /TZOFFSETTO:(\S+)/.exec(timezones.getVtimezone(timeZone));
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(0);
  const { value } = parts.find(({ type }) => type === "timeZoneName");
  console.log(`${timeZone}: VTIMEZONE ${offset}, Intl ${value}`);
}
END
)

expected=$(cat <<'END'
America/Bogota: VTIMEZONE -0500, Intl GMT-05:00
Etc/GMT+5: VTIMEZONE +0500, Intl GMT-05:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
