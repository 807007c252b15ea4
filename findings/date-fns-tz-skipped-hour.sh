#!/usr/bin/env bash
# date-fns-tz 3.2.0: a time of Phoenix is written an hour wrong where the clocks of the machine skip that
# hour.
# Guess: `formatInTimeZone` takes an instant and the name of a zone, so that its text is the same everywhere.
# So: it moves the instant into a local date of the machine first. On the Sunday on which New York goes from
# 2:00 to 3:00 there is no 2:30 in that date, and 3:30 is written, beside the right offset: another instant.
# In Arizona, which has no summer time, it is an hour like any other.
#
# Output seen on 2026-11-29:
#   on a machine in UTC: 2027-03-14T02:30:00-07:00, which is 2027-03-14T09:30:00.000Z
#   on a machine in America/New_York: 2027-03-14T03:30:00-07:00, which is 2027-03-14T10:30:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts date-fns@4.4.0 date-fns-tz@3.2.0

cat >example.mjs <<'END'
import { formatInTimeZone } from "date-fns-tz";
const written = formatInTimeZone(
  new Date("2027-03-14T09:30:00Z"),
  "America/Phoenix",
  "yyyy-MM-dd'T'HH:mm:ssxxx",
);
console.log(`on a machine in ${process.env.TZ}: ${written}, which is ${new Date(written).toISOString()}`);
END
seen=$(for zone in UTC America/New_York; do TZ=$zone node example.mjs; done)

expected=$(cat <<'END'
on a machine in UTC: 2027-03-14T02:30:00-07:00, which is 2027-03-14T09:30:00.000Z
on a machine in America/New_York: 2027-03-14T03:30:00-07:00, which is 2027-03-14T10:30:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
