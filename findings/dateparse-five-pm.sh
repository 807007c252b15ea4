#!/usr/bin/env bash
# golang-github-araddon-dateparse-dev 0.0~git20210429.6b43995-3 (Debian): 5pm is five seconds after noon.
# Guess: `ParseAny` reads `12/1/2026 5pm` as it reads `12/1/2026 5:00pm`, or gives an error, as it does for
# 10pm.
# So: an hour of one digit without minutes is taken for seconds or for the day, and `pm` then makes noon of
# midnight. A consult at five is entered at noon, one at nine in the morning at midnight, and one at two on
# the wrong day. No error tells of it. The documentation shows times with minutes only.
#
# Output seen on 2026-12-01:
#   12/1/2026 5:00pm: 2026-12-01 17:00:00, error: <nil>
#   12/1/2026 5pm: 2026-12-01 12:00:05, error: <nil>
#   Dec 1, 2026 2 PM: 2026-12-02 12:00:00, error: <nil>
#   12/1/2026 9am: 2026-12-01 00:00:00, error: <nil>
#   12/1/2026 10pm: an error: true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq golang-github-araddon-dateparse-dev=0.0~git20210429.6b43995-3 golang-1.19-go \
  golang-1.19-src 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export GOROOT="$folder/usr/lib/go-1.19" GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache"
export GO111MODULE=off GOFLAGS= GOTOOLCHAIN=local CGO_ENABLED=0

seen=$({ cat >main.go; TZ=UTC "$GOROOT/bin/go" run main.go; } <<'END'
package main

import (
	"fmt"

	"github.com/araddon/dateparse"
)

func main() {
	for _, text := range []string{"12/1/2026 5:00pm", "12/1/2026 5pm", "Dec 1, 2026 2 PM", "12/1/2026 9am"} {
		read, err := dateparse.ParseAny(text)
		fmt.Printf("%s: %s, error: %v\n", text, read.Format("2006-01-02 15:04:05"), err)
	}
	_, err := dateparse.ParseAny("12/1/2026 10pm")
	fmt.Printf("12/1/2026 10pm: an error: %t\n", err != nil)
}
END
)

expected=$(cat <<'END'
12/1/2026 5:00pm: 2026-12-01 17:00:00, error: <nil>
12/1/2026 5pm: 2026-12-01 12:00:05, error: <nil>
Dec 1, 2026 2 PM: 2026-12-02 12:00:00, error: <nil>
12/1/2026 9am: 2026-12-01 00:00:00, error: <nil>
12/1/2026 10pm: an error: true
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
