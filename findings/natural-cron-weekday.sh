#!/usr/bin/env bash
# @darkeyedevelopers/natural-cron.js 1.1.0: `every weekday at 9am` runs on Sundays, too.
# Guess: an English phrase becomes the cron expression that it says, or an error, where a part of it is not
# known. The README names no words that are left out.
# So: what it does not know is passed over without a word, and the rest is due more often. `every weekday` and
# `every other day` are each day, and the last Friday of the month is each Friday: clients get reminders on
# days that were not meant. `monday to friday` is right.
#
# Output seen on 2026-11-30:
#   every day at 9am: 0 9 * * ?
#   every weekday at 9am: 0 9 * * ?
#   every other day at 9am: 0 9 * * ?
#   monday to friday at 9am: 0 9 ? * MON-FRI
#   every friday at 9am: 0 9 ? * FRI
#   on the last friday of the month at 9am: 0 9 ? * FRI
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @darkeyedevelopers/natural-cron.js@1.1.0

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const getCronString = createRequire(`${process.cwd()}/`)("@darkeyedevelopers/natural-cron.js");
const phrases = ["every day at 9am", "every weekday at 9am", "every other day at 9am", "monday to friday at 9am",
  "every friday at 9am", "on the last friday of the month at 9am"];
for (const phrase of phrases) console.log(`${phrase}: ${getCronString(phrase, "MIN HOR DOM MON WEK")}`);
END
)

expected=$(cat <<'END'
every day at 9am: 0 9 * * ?
every weekday at 9am: 0 9 * * ?
every other day at 9am: 0 9 * * ?
monday to friday at 9am: 0 9 ? * MON-FRI
every friday at 9am: 0 9 ? * FRI
on the last friday of the month at 9am: 0 9 ? * FRI
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
