#!/usr/bin/env bash
# golang-github-teambition-rrule-go-dev 1.8.1-1 (Debian): where the rule stands before its start, the start is
# lost.
# Guess: `StrToRRuleSet` reads the lines of an event in any order, as it does EXDATE and RDATE. The properties
# of a component have no order in iCalendar (RFC 5545, section 3.6.1, eventprop).
# So: DTSTART is read only in the first line. Elsewhere it is passed over without an error, and the rule
# starts at the moment at which it is read: another day, another time, and tomorrow other times again. The
# documentation says nothing of it. A comment within `StrSliceToRRuleSetInLoc` says that the RFC has DTSTART
# in the first line, and it does not.
#
# Output seen on 2026-12-01:
#   DTSTART, RRULE first: 2 times, at the start: true, now: false
#   DTSTART, EXDATE first: 2 times, at the start: true, now: false
#   RRULE, DTSTART first: 3 times, at the start: false, now: true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq golang-github-teambition-rrule-go-dev=1.8.1-1 golang-1.19-go golang-1.19-src 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export GOROOT="$folder/usr/lib/go-1.19" GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" GO111MODULE=off
export GOFLAGS= GOTOOLCHAIN=local CGO_ENABLED=0

seen=$({ cat >main.go; TZ=UTC "$GOROOT/bin/go" run main.go; } <<'END'
package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

func main() {
	start, rule, exception := "DTSTART:20271207T150000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20271214T150000Z"
	for _, lines := range [][]string{{start, rule, exception}, {start, exception, rule}, {rule, start, exception}} {
		set, err := rrule.StrToRRuleSet(strings.Join(lines, "\n"))
		if err != nil {
			panic(err)
		}
		times := set.All()
		wanted := time.Date(2027, 12, 7, 15, 0, 0, 0, time.UTC)
		since := time.Since(times[0]).Abs()
		fmt.Printf("%s first: %d times, at the start: %t, now: %t\n",
			strings.Split(strings.Join(lines, " then "), ":")[0]+", "+strings.Split(lines[1], ":")[0],
			len(times), times[0].Equal(wanted), since < time.Minute)
	}
}
END
)

expected=$(cat <<'END'
DTSTART, RRULE first: 2 times, at the start: true, now: false
DTSTART, EXDATE first: 2 times, at the start: true, now: false
RRULE, DTSTART first: 3 times, at the start: false, now: true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
