#!/usr/bin/env bash
# calendar-link 2.11.5: the links for Outlook name an hour without its zone.
# Guess: the links of one event, whose start is given in UTC, as its documentation advises for the sake of
# Outlook, all name the same instant.
# So: those for Google and Yahoo end in Z. Those for Outlook and Office 365 give the clock time of the machine
# that makes them, and the calendar takes it as its reader's own. A consult at 14:00 in New York, linked from
# a server in UTC, is offered to an Outlook user there for 19:00.
#
# Output seen on 2026-11-29:
#   google, made in UTC: 20261201T190000Z
#   yahoo, made in UTC: 20261201T190000Z
#   outlook, made in UTC: 2026-12-01T19:00:00
#   office365, made in UTC: 2026-12-01T19:00:00
#   google, made in America/Denver: 20261201T190000Z
#   yahoo, made in America/Denver: 20261201T190000Z
#   outlook, made in America/Denver: 2026-12-01T12:00:00
#   office365, made in America/Denver: 2026-12-01T12:00:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts calendar-link@2.11.5

seen=$(node --input-type=module - <<'END'
import * as make from "calendar-link";
const event = { title: "Consult", start: "2026-12-01T19:00:00Z", duration: [30, "minute"] };
for (const zone of ["UTC", "America/Denver"]) {
  process.env.TZ = zone;
  for (const [name, start] of [["google", "dates"], ["yahoo", "st"], ["outlook", "startdt"], ["office365", "startdt"]])
    console.log(`${name}, made in ${zone}: ${new URL(make[name](event)).searchParams.get(start).split("/")[0]}`);
}
END
)

expected=$(cat <<'END'
google, made in UTC: 20261201T190000Z
yahoo, made in UTC: 20261201T190000Z
outlook, made in UTC: 2026-12-01T19:00:00
office365, made in UTC: 2026-12-01T19:00:00
google, made in America/Denver: 20261201T190000Z
yahoo, made in America/Denver: 20261201T190000Z
outlook, made in America/Denver: 2026-12-01T12:00:00
office365, made in America/Denver: 2026-12-01T12:00:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
