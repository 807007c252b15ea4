#!/usr/bin/env bash
# phone-number-to-timezone 1.0.8: for a telephone in Fargo, the time is an hour early.
# Guess: `time.display` is the current time at the place that `location` names, as the documentation has it.
# So: for an area code that lies in two zones, it is the time in the western one, also where the city that is named
# lies in the eastern one. A client in Fargo, Sioux Falls, Boise or Chattanooga is called an hour late. The other
# hour is in `hour2`, which the documentation says is that of the zone to the east.
#
# Output seen on 2026-11-30:
#   Boise, ID: 07:00, and there it is 08:00
#   Chicago, IL: 09:00, and there it is 09:00
#   Chattanooga, TN: 09:00, and there it is 10:00
#   Sioux Falls, SD: 08:00, and there it is 09:00
#   Fargo, ND: 08:00, and there it is 09:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts phone-number-to-timezone@1.0.8

seen=$(TZ=UTC node --input-type=module - <<'END'
import phones from "phone-number-to-timezone";
const clock = globalThis.Date;
globalThis.Date = class extends clock {
  constructor(...time) {
    super(...(time.length > 0 ? time : ["2026-12-15T15:00:00Z"]));
  }
};
const areas = { 701: "America/Chicago", 605: "America/Chicago", 208: "America/Boise", 423: "America/New_York" };
for (const [area, timeZone] of Object.entries({ 312: "America/Chicago", ...areas })) {
  const { location, time } = phones.getLocalInfo(`+1${area}5550142`);
  const there = new clock("2026-12-15T15:00:00Z").toLocaleTimeString("en-GB", { timeZone, timeStyle: "short" });
  console.log(`${location}: ${time.display}, and there it is ${there}`);
}
END
)

expected=$(cat <<'END'
Boise, ID: 07:00, and there it is 08:00
Chicago, IL: 09:00, and there it is 09:00
Chattanooga, TN: 09:00, and there it is 10:00
Sioux Falls, SD: 08:00, and there it is 09:00
Fargo, ND: 08:00, and there it is 09:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
