#!/usr/bin/env bash
# golang-github-dustin-go-humanize-dev 1.0.0-3 (Debian): $1,234.999 with two digits is $1,234.99.
# Guess: `CommafWithDigits` rounds to the digits that are asked for, as `FormatFloat` of the same package and
# `%.2f` do. Its comment says that it limits the text to a number of decimal places, and its example,
# 834142.32 with one, is .3 both ways.
# So: the further digits are cut off. An average or a tax that is computed in fractions of a cent is up to a
# cent too low, and below zero too high. Where both functions are used, the list and its sum show two amounts
# for one.
#
# Output seen on 2026-12-01:
#   834142.32: 834,142.32, 834,142.32, 834142.32
#   1234.999: 1,234.99, 1,235.00, 1235.00
#   -1234.567: -1,234.56, -1,234.57, -1234.57
#   0.999: 0.99, 1.00, 1.00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq golang-github-dustin-go-humanize-dev=1.0.0-3 golang-1.19-go \
  golang-1.19-src 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export GOROOT="$folder/usr/lib/go-1.19" GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache"
export GO111MODULE=off GOFLAGS= GOTOOLCHAIN=local CGO_ENABLED=0

seen=$({ cat >main.go; TZ=UTC "$GOROOT/bin/go" run main.go; } <<'END'
package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

func main() {
	for _, amount := range []float64{834142.32, 1234.999, -1234.567, 0.999} {
		fmt.Printf("%v: %s, %s, %.2f\n", amount, humanize.CommafWithDigits(amount, 2),
			humanize.FormatFloat("#,###.##", amount), amount)
	}
}
END
)

expected=$(cat <<'END'
834142.32: 834,142.32, 834,142.32, 834142.32
1234.999: 1,234.99, 1,235.00, 1235.00
-1234.567: -1,234.56, -1,234.57, -1234.57
0.999: 0.99, 1.00, 1.00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
