#!/usr/bin/env bash
# any-date-parser 2.2.4: on a machine in New York, 15:00Z is read as 20:00Z.
# Guess: `fromString("2026-12-01T15:00:00Z")` is that instant on every machine, as with `new Date`. The README
# lists such times and has offsets among what is read.
# So: the offset is applied, and then that of the machine once more. An offset in an email header is not
# applied at all, so that only the zone of the machine counts. The tests of the package run in UTC alone,
# where the first is right. It is known: issue 40, which is closed. A booking of ten o'clock is read as three
# in the afternoon.
#
# Output seen on 2026-11-30:
#   UTC: 2026-12-01T15:00:00Z is 2026-12-01T15:00:00.000Z
#   UTC: 2026-12-01T10:00:00-05:00 is 2026-12-01T15:00:00.000Z
#   UTC: Tue, 01 Dec 2026 10:00:00 -0500 is 2026-12-01T10:00:00.000Z
#   America/New_York: 2026-12-01T15:00:00Z is 2026-12-01T20:00:00.000Z
#   America/New_York: 2026-12-01T10:00:00-05:00 is 2026-12-01T20:00:00.000Z
#   America/New_York: Tue, 01 Dec 2026 10:00:00 -0500 is 2026-12-01T15:00:00.000Z
#   Asia/Tokyo: 2026-12-01T15:00:00Z is 2026-12-01T06:00:00.000Z
#   Asia/Tokyo: 2026-12-01T10:00:00-05:00 is 2026-12-01T06:00:00.000Z
#   Asia/Tokyo: Tue, 01 Dec 2026 10:00:00 -0500 is 2026-12-01T01:00:00.000Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts any-date-parser@2.2.4

seen=$(for zone in UTC America/New_York Asia/Tokyo; do
  TZ=$zone node --input-type=module - <<'END'
import parser from "any-date-parser";
for (const text of ["2026-12-01T15:00:00Z", "2026-12-01T10:00:00-05:00", "Tue, 01 Dec 2026 10:00:00 -0500"]) {
  console.log(`${process.env.TZ}: ${text} is ${parser.fromString(text, "en-US").toISOString()}`);
}
END
done)

expected=$(cat <<'END'
UTC: 2026-12-01T15:00:00Z is 2026-12-01T15:00:00.000Z
UTC: 2026-12-01T10:00:00-05:00 is 2026-12-01T15:00:00.000Z
UTC: Tue, 01 Dec 2026 10:00:00 -0500 is 2026-12-01T10:00:00.000Z
America/New_York: 2026-12-01T15:00:00Z is 2026-12-01T20:00:00.000Z
America/New_York: 2026-12-01T10:00:00-05:00 is 2026-12-01T20:00:00.000Z
America/New_York: Tue, 01 Dec 2026 10:00:00 -0500 is 2026-12-01T15:00:00.000Z
Asia/Tokyo: 2026-12-01T15:00:00Z is 2026-12-01T06:00:00.000Z
Asia/Tokyo: 2026-12-01T10:00:00-05:00 is 2026-12-01T06:00:00.000Z
Asia/Tokyo: Tue, 01 Dec 2026 10:00:00 -0500 is 2026-12-01T01:00:00.000Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
