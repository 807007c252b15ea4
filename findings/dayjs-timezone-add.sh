#!/usr/bin/env bash
# dayjs 1.11.23: a day that is added in a zone keeps the offset of the day before, and two texts of one object
# name two instants.
# Guess: `dayjs.tz(time, zone).add(1, "day")` is the same clock time on the next day of that zone, or 24 hours
# later, and `format` and `toISOString` agree on which.
# So: across the end of summer time the clock time stays, with the offset of summer. On a machine in New York
# `toISOString` says another instant than `format`, an hour apart.
#
# Output seen on 2026-11-29:
#   on a machine in UTC: 2026-11-01T10:00:00-04:00, 2026-11-01T14:00:00.000Z
#   on a machine in America/New_York: 2026-11-01T10:00:00-04:00, 2026-11-01T15:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts dayjs@1.11.23

cat >example.mjs <<'END'
import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";
dayjs.extend(utc);
dayjs.extend(timezone);
const next = dayjs.tz("2026-10-31 10:00", "America/New_York").add(1, "day");
console.log(`on a machine in ${process.env.TZ}: ${next.format()}, ${next.toISOString()}`);
END
seen=$(for zone in UTC America/New_York; do TZ=$zone node example.mjs; done)

expected=$(cat <<'END'
on a machine in UTC: 2026-11-01T10:00:00-04:00, 2026-11-01T14:00:00.000Z
on a machine in America/New_York: 2026-11-01T10:00:00-04:00, 2026-11-01T15:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
