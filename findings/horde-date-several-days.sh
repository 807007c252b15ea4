#!/usr/bin/env bash
# php-horde-date 2.4.1-9 (Debian): of several days in a month only the first is kept.
# Guess: FREQ=MONTHLY;BYMONTHDAY=1,15 is due on both days, and BYDAY=2MO,4MO on both Mondays (RFC 5545,
# section 3.3.10), or `fromRRule20` gives an error.
# So: it takes the day of the start, once a month, without an error, and writes the rule in that form. Half of
# the consults or payments are missing. With COUNT, the others come months later.
#
# Output seen on 2026-11-30:
#   FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=4: 2026-12-01, 2027-01-01, 2027-02-01, 2027-03-01
#     FREQ=MONTHLY;INTERVAL=1;COUNT=4
#   FREQ=MONTHLY;BYDAY=2MO,4MO;COUNT=4: 2026-12-14, 2027-01-11, 2027-02-08, 2027-03-08
#     FREQ=MONTHLY;INTERVAL=1;BYDAY=2MO;COUNT=4
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq php-horde-date=2.4.1-9 php-horde-icalendar=2.1.8-7 php-horde-util=2.5.12-2 \
  php-horde-exception=2.0.8-10 php-horde-translation=2.2.2-7 php-horde-nls=2.2.1-6 php-horde-support=2.2.2-2 \
  php-horde-mail=2.6.6-5 \
  php8.2-cli php8.2-common libargon2-1 libicu72 libsodium23 libxml2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export LD_LIBRARY_PATH=$(echo "$folder"/usr/lib/*-linux-gnu)

seen=$(usr/bin/php8.2 -n -d error_reporting=0 -d date.timezone=UTC -d include_path=usr/share/php <<'END'
<?php
spl_autoload_register(fn($class) => require str_replace("_", "/", $class) . ".php");
$rules = ["FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=4" => "2026-12-01", "FREQ=MONTHLY;BYDAY=2MO,4MO;COUNT=4" => "2026-12-14"];
foreach ($rules as $rule => $start) {
    $recurrence = new Horde_Date_Recurrence(new Horde_Date("$start 10:00:00", "UTC"));
    $recurrence->fromRRule20($rule);
    $days = [];
    $after = new Horde_Date("2026-11-30 00:00:00", "UTC");
    while ($due = $recurrence->nextActiveRecurrence($after)) {
        $days[] = $due->format("Y-m-d");
        $after = clone $due;
        $after->mday++;
    }
    echo "$rule: ", implode(", ", $days), "\n  ", $recurrence->toRRule20(new Horde_Icalendar()), "\n";
}
END
)

expected=$(cat <<'END'
FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=4: 2026-12-01, 2027-01-01, 2027-02-01, 2027-03-01
  FREQ=MONTHLY;INTERVAL=1;COUNT=4
FREQ=MONTHLY;BYDAY=2MO,4MO;COUNT=4: 2026-12-14, 2027-01-11, 2027-02-08, 2027-03-08
  FREQ=MONTHLY;INTERVAL=1;BYDAY=2MO;COUNT=4
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
