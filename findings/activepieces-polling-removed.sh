#!/usr/bin/env bash
# @activepieces/pieces-common 0.12.5: when the newest item is removed from a list, all others are new again.
# Guess: "The library will detect new items after the last item ID" (documentation of Activepieces, Polling
# Trigger, Last ID Strategy). An item that was handed on is not handed on again.
# So: only the id of the newest item is kept. When that one is gone, the whole list is handed on. A booking is
# cancelled, and all others get their welcome and their invoice a second time.
#
# Output seen on 2026-11-30:
#   enabled with Ann, Ben, Cleo
#   Ann, Ben, Cleo: nothing is new
#   Dora, Ann, Ben, Cleo: new are Dora
#   Ann, Ben, Cleo: new are Ann, Ben, Cleo
#   Ann, Ben, Cleo: nothing is new
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @activepieces/pieces-common@0.12.5

seen=$(node --input-type=module - <<'END'
import { createRequire } from "node:module";
const { DedupeStrategy, pollingHelper } = createRequire(`${process.cwd()}/`)("@activepieces/pieces-common");
const kept = new Map();
const store = {
  get: async (key) => kept.get(key) ?? null,
  put: async (key, value) => kept.set(key, value),
  delete: async (key) => kept.delete(key),
};
let list = ["Ann", "Ben", "Cleo"];
const items = async () => list.map((name) => ({ id: name, data: name }));
const polling = { strategy: DedupeStrategy.LAST_ITEM, items };
const context = { store, auth: {}, propsValue: {} };
await pollingHelper.onEnable(polling, context);
console.log(`enabled with ${list.join(", ")}`);
for (list of [list, ["Dora", ...list], list, list]) {
  const found = await pollingHelper.poll(polling, context);
  console.log(`${list.join(", ")}: ${found.length ? `new are ${found.join(", ")}` : "nothing is new"}`);
}
END
)

expected=$(cat <<'END'
enabled with Ann, Ben, Cleo
Ann, Ben, Cleo: nothing is new
Dora, Ann, Ben, Cleo: new are Dora
Ann, Ben, Cleo: new are Ann, Ben, Cleo
Ann, Ben, Cleo: nothing is new
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
