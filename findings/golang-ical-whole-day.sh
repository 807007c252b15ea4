#!/usr/bin/env bash
# golang-github-arran4-golang-ical-dev 0.0~git20220517.fd89fef-2 (Debian): the start of a whole day is written
# 20261201Z.
# Guess: `SetAllDayStartAt` writes DTSTART;VALUE=DATE:20261201, with the date that the time has in its own
# zone. In iCalendar a date has eight digits and nothing else, and VALUE=DATE marks it (RFC 5545, sections
# 3.3.4 and 3.8.2.4).
# So: the date gets a Z, and VALUE is missing, which makes a value that is neither a date nor a time. The date
# is also the one in UTC: a day off that is entered on 1 December at eight in the evening in New York is on 2
# December. Later versions write VALUE=DATE and the date of the zone.
#
# Output seen on 2026-12-01:
#   2026-12-01T00:00:00-05:00: DTSTART:20261201Z
#   2026-12-01T10:00:00-05:00: DTSTART:20261201Z
#   2026-12-01T20:00:00-05:00: DTSTART:20261202Z
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq golang-github-arran4-golang-ical-dev=0.0~git20220517.fd89fef-2 golang-1.19-go \
  golang-1.19-src 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export GOROOT="$folder/usr/lib/go-1.19" GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache"
export GO111MODULE=off GOFLAGS= GOTOOLCHAIN=local CGO_ENABLED=0

seen=$({ cat >main.go; TZ=UTC "$GOROOT/bin/go" run main.go; } <<'END'
package main

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata"

	ics "github.com/arran4/golang-ical"
)

func main() {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	for _, hour := range []int{0, 10, 20} {
		day := time.Date(2026, 12, 1, hour, 0, 0, 0, newYork)
		calendar := ics.NewCalendar()
		calendar.AddEvent("1").SetAllDayStartAt(day)
		for _, line := range strings.Split(calendar.Serialize(), "\r\n") {
			if strings.HasPrefix(line, "DTSTART") {
				fmt.Println(day.Format(time.RFC3339) + ": " + line)
			}
		}
	}
}
END
)

expected=$(cat <<'END'
2026-12-01T00:00:00-05:00: DTSTART:20261201Z
2026-12-01T10:00:00-05:00: DTSTART:20261201Z
2026-12-01T20:00:00-05:00: DTSTART:20261202Z
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
