#!/usr/bin/env bash
# php-nesbot-carbon 2.65.0-1+deb12u1 (Debian): an hour less a quarter of an hour is written PT1H15M.
# Guess: `spec()` writes the length that the interval has, 45 minutes, or fails where ISO 8601 has no form for
# it. What it writes, `make()` reads as the same length.
# So: each unit keeps its own sign, and the text leaves the signs out. An hour less 15 minutes is 45 minutes
# in `totalMinutes` and in `add()`, and 75 minutes for each program that reads the text. After `cascade()` it
# is right. Issue 3256, which is open, has it for intervals below zero; these are above. Since May 2026
# `spec()` has an option that writes the signs (CarbonPHP/carbon, pull request 111).
#
# Output seen on 2026-12-01:
#   1 h less 15 min: 45 minutes, to 10:45, written PT1H15M, read as 75 minutes, after cascade PT45M
#   2 h less 45 min: 75 minutes, to 11:15, written PT2H45M, read as 165 minutes, after cascade PT1H15M
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-nesbot-carbon=2.65.0-1+deb12u1 php-symfony-translation \
  php-symfony-translation-contracts php-symfony-deprecation-contracts php-symfony-contracts \
  php-symfony-polyfill-mbstring php-symfony-polyfill-php80 php8.2-mbstring php8.2-cli php8.2-common \
  libargon2-1 libicu72 libsodium23 libxml2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(TZ=UTC usr/bin/php8.2 -n -d error_reporting=0 -d date.timezone=UTC -d include_path=usr/share/php \
  -d extension_dir=$(echo usr/lib/php/2*) -d extension=mbstring -d extension=ctype <<'END'
<?php
require "Carbon/autoload.php";
use Carbon\Carbon;
use Carbon\CarbonInterval;
$start = Carbon::parse("2026-12-01 10:00");
foreach ([[1, 15], [2, 45]] as [$hours, $minutes]) {
    $length = CarbonInterval::hours($hours)->sub(CarbonInterval::minutes($minutes));
    $text = $length->spec();
    echo "$hours h less $minutes min: $length->totalMinutes minutes, to ", $start->copy()->add($length)->format("H:i"),
        ", written $text, read as ", CarbonInterval::make($text)->totalMinutes, " minutes, after cascade ",
        $length->cascade()->spec(), "\n";
}
END
)

expected=$(cat <<'END'
1 h less 15 min: 45 minutes, to 10:45, written PT1H15M, read as 75 minutes, after cascade PT45M
2 h less 45 min: 75 minutes, to 11:15, written PT2H45M, read as 165 minutes, after cascade PT1H15M
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
