#!/usr/bin/env bash
# fhirpath 5.2.2: a month after 30 March is 29 April on one machine, and 30 April on another.
# Guess: a month after ten in the evening of 30 March, at -05:00, is that hour of 30 April. An addition
# respects the length of months (FHIRPath 2.0, section 6.7.1), and keeps its offset, as in the official tests
# (testPlusDate3, with +10:00).
# So: the time is first taken to the zone of the machine, where it may be 31 March, and the month is added
# there. The two answers are a day apart. In UTC, the answer is written with -00:00, by which RFC 3339
# (section 4.3) marks an offset that is not known. The README says nothing of zones.
#
# Output seen on 2026-12-01:
#   America/New_York: 2026-04-30T23:00:00-04:00, 0 hours from what was guessed
#   UTC: 2026-04-30T03:00:00-00:00, -24 hours from what was guessed
#   Asia/Tokyo: 2026-04-30T12:00:00+09:00, -24 hours from what was guessed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts fhirpath@5.2.2

seen=$({ cat >month.mjs; for zone in America/New_York UTC Asia/Tokyo; do TZ=$zone node month.mjs; done
} <<'END'
import fhirpath from "fhirpath";
const [later] = fhirpath.evaluate({}, "@2026-03-30T22:00:00-05:00 + 1 month");
const hours = (Date.parse(later) - Date.parse("2026-04-30T22:00:00-05:00")) / 3600000;
console.log(`${process.env.TZ}: ${later}, ${hours} hours from what was guessed`);
END
)

expected=$(cat <<'END'
America/New_York: 2026-04-30T23:00:00-04:00, 0 hours from what was guessed
UTC: 2026-04-30T03:00:00-00:00, -24 hours from what was guessed
Asia/Tokyo: 2026-04-30T12:00:00+09:00, -24 hours from what was guessed
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
