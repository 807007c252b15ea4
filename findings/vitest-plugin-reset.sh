#!/usr/bin/env bash
# @cloudflare/vitest-plugin 1.5.0: `reset()` after `abortAllDurableObjects()` leaves KV as it was, and says
# nothing.
# Guess: `reset` deletes all data from all attached bindings, as its documentation says, whatever came before.
# So: it empties KV only as long as no test has aborted the Durable Objects since the last reset.
# A value of one test is then there in the next one.
#
# Output seen on 2026-11-28:
#   reset: null
#   abort, then reset: "kept"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm pkg set type=module
npm install --silent --no-audit --no-fund --ignore-scripts @cloudflare/vitest-plugin@1.5.0 vitest@5.1.1

echo 'export default { fetch: () => new Response("example") };' >worker.mjs
cat >vitest.config.mjs <<'END'
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
const miniflare = { compatibilityDate: "2026-09-01", kvNamespaces: ["KV"] };
export default defineConfig({ plugins: [cloudflareTest({ main: "./worker.mjs", miniflare })] });
END
cat >reset.test.mjs <<'END'
import { abortAllDurableObjects, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { it } from "vitest";
const afterReset = async (label, before) => {
  await env.KV.put("key", "kept");
  await before();
  await reset();
  console.log(`${label}: ${JSON.stringify(await env.KV.get("key"))}`);
};
it("resets", () => afterReset("reset", () => {}));
it("resets after an abort", () => afterReset("abort, then reset", () => abortAllDurableObjects()));
END
NO_COLOR=1 npx vitest run >log.txt 2>&1
seen=$(grep -oE '(abort, then )?reset: (null|".*")$' log.txt)

expected=$(cat <<'END'
reset: null
abort, then reset: "kept"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
