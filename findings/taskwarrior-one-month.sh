#!/usr/bin/env bash
# taskwarrior 2.6.2+dfsg-1 (Debian): what is due every `1mo` is due every thirty days.
# Guess: `recur:1mo` is each month, as `recur:monthly` is. The manual has both in one line: "monthly, month,
# 1mo, 2mo, ... Every month."
# So: `monthly` and P1M go from month to month, and `month` and `1mo` are thirty days long. A reminder of the
# tenth is on the ninth in February, and each year it comes five days earlier. `3mo` is no quarter, and `1q`
# is one. No message tells of it.
#
# Output seen on 2026-12-01:
#   monthly: 20300110 20300210 20300310 20300410
#   month: 20300110 20300209 20300311 20300410
#   P1M: 20300110 20300210 20300310 20300410
#   1mo: 20300110 20300209 20300311 20300410
#   1q: 20300110 20300410 20300710 20301010
#   3mo: 20300110 20300410 20300709 20301007
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq taskwarrior=2.6.2+dfsg-1 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(TZ=UTC bash -s <<'END'
export TASKRC="$PWD/rc" TASKDATA="$PWD/data"
printf '%s\n' confirmation=no verbose=nothing recurrence.limit=4 >rc
for period in monthly month P1M 1mo 1q 3mo; do
  rm -rf data && mkdir data
  ./usr/bin/task add due:2030-01-10 recur:$period until:2031-01-01 Reminder
  ./usr/bin/task list >/dev/null
  due=$(./usr/bin/task status:pending export | grep -o '"due":"[0-9]*' | cut -c 8- | sort)
  echo "$period:" $due
done
END
)

expected=$(cat <<'END'
monthly: 20300110 20300210 20300310 20300410
month: 20300110 20300209 20300311 20300410
P1M: 20300110 20300210 20300310 20300410
1mo: 20300110 20300209 20300311 20300410
1q: 20300110 20300410 20300710 20301010
3mo: 20300110 20300410 20300709 20301007
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
