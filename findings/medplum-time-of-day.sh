#!/usr/bin/env bash
# @medplum/core 4.5.2: what is due each Tuesday at ten is shown as five, or as two, in America.
# Guess: `formatTiming` and `formatTime` show 10:00:00 as ten o'clock. A `time` of FHIR has no date, and a
# zone must not be there (R4, Datatypes, time). It is the time on the clock, and so is `timeOfDay` of a
# Timing.
# So: the time is read as one in UTC and is shown in the zone of the machine. A reader in New York is told of
# five o'clock, and one in Los Angeles of two. On a server in UTC, where tests run, the text is right. In
# 5.2.13, `formatTiming` shows ten, and `formatTime` is as it was.
#
# Output seen on 2026-12-01:
#   UTC: Weekly on Tue at 10:00:00 AM; 10:00:00 AM
#   America/New_York: Weekly on Tue at 5:00:00 AM; 5:00:00 AM
#   America/Los_Angeles: Weekly on Tue at 2:00:00 AM; 2:00:00 AM
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @medplum/core@4.5.2

export LC_ALL=en_US.UTF-8
seen=$({ cat >time.mjs; for zone in UTC America/New_York America/Los_Angeles; do TZ=$zone node time.mjs; done
} <<'END'
import { formatTime, formatTiming } from "@medplum/core";
const weekly = { frequency: 1, period: 1, periodUnit: "wk", dayOfWeek: ["tue"], timeOfDay: ["10:00:00"] };
const text = `${formatTiming({ repeat: weekly })}; ${formatTime("10:00:00")}`;
console.log(`${process.env.TZ}: ${text.replaceAll("\u202f", " ")}`);
END
)

expected=$(cat <<'END'
UTC: Weekly on Tue at 10:00:00 AM; 10:00:00 AM
America/New_York: Weekly on Tue at 5:00:00 AM; 5:00:00 AM
America/Los_Angeles: Weekly on Tue at 2:00:00 AM; 2:00:00 AM
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
