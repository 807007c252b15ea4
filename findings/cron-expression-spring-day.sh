#!/usr/bin/env bash
# php-dragonmantank-cron-expression 3.3.1-2 (Debian): a daily job does not run on the day on which summer time
# begins.
# Guess: what is due at ten in the morning each day is due on 8 March 2026 in New York, too. That day has no
# hour from two to three, but it has ten o'clock.
# So: the Sunday is left out. What is due each Sunday is a week late. A later job of the same day is left out
# as well, and one at one in the morning is not. Version 3.6.0 has mended it.
#
# Output seen on 2026-11-30:
#   0 10 * * *: Mon 2026-03-09 10:00, Tue 2026-03-10 10:00
#   0 10 * * 0: Sun 2026-03-15 10:00, Sun 2026-03-22 10:00
#   0 23 * * *: Sat 2026-03-07 23:00, Mon 2026-03-09 23:00
#   0 1 * * *: Sun 2026-03-08 01:00, Mon 2026-03-09 01:00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-dragonmantank-cron-expression=3.3.1-2 php-webmozart-assert \
  php8.2-cli php8.2-common libargon2-1 libicu72 libsodium23 libxml2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(usr/bin/php8.2 -n -d error_reporting=0 -d date.timezone=UTC -d include_path=usr/share/php <<'END'
<?php
spl_autoload_register(fn($class) => require str_replace("\\", "/", $class) . ".php");
$saturday = new DateTimeImmutable("2026-03-07 12:00", new DateTimeZone("America/New_York"));
foreach (["0 10 * * *", "0 10 * * 0", "0 23 * * *", "0 1 * * *"] as $expression) {
    $times = (new Cron\CronExpression($expression))->getMultipleRunDates(2, $saturday);
    echo "$expression: ", implode(", ", array_map(fn($time) => $time->format("D Y-m-d H:i"), $times)), "\n";
}
END
)

expected=$(cat <<'END'
0 10 * * *: Mon 2026-03-09 10:00, Tue 2026-03-10 10:00
0 10 * * 0: Sun 2026-03-15 10:00, Sun 2026-03-22 10:00
0 23 * * *: Sat 2026-03-07 23:00, Mon 2026-03-09 23:00
0 1 * * *: Sun 2026-03-08 01:00, Mon 2026-03-09 01:00
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
