#!/usr/bin/env bash
# workerd 1.20261102.1 (miniflare 5.20261102.0-beta): an alarm that sets the next one and then fails is not
# retried.
# Guess: an alarm handler that throws runs again after a moment, whatever it did before.
# So: it runs again only if it set no alarm. An alarm that is set first, as a precaution, takes the place of
# the retry, so the work that failed waits until then: here an hour.
#
# Output seen on 2026-11-28:
#   fails: 2 runs
#   sets the next alarm, then fails: 1 run, next alarm in 60 minutes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts miniflare@5.20261102.0-beta

cat >worker.mjs <<'END'
import { DurableObject } from "cloudflare:workers";
const HOUR = 3_600_000;
export class Clock extends DurableObject {
  async begin(mode) {
    this.ctx.storage.kv.put("mode", mode);
    await this.ctx.storage.setAlarm(Date.now() + 100);
  }
  async alarm() {
    const runs = (this.ctx.storage.kv.get("runs") ?? 0) + 1;
    this.ctx.storage.kv.put("runs", runs);
    if (this.ctx.storage.kv.get("mode") === "sets") await this.ctx.storage.setAlarm(Date.now() + HOUR);
    if (runs === 1) throw new Error("the first run fails");
  }
  async seen() {
    const next = await this.ctx.storage.getAlarm();
    const minutes = next && Math.round((next - Date.now()) / 60_000);
    return { runs: this.ctx.storage.kv.get("runs"), minutes };
  }
}
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const mode = searchParams.get("mode");
    const clock = env.CLOCK.getByName(mode);
    if (pathname !== "/begin") return Response.json(await clock.seen());
    await clock.begin(mode);
    return Response.json("begun");
  },
};
END
seen=$(node --input-type=module - 2>log.txt <<'END'
import { Miniflare, convertV4MiniflareOptions } from "miniflare";
const miniflare = new Miniflare(convertV4MiniflareOptions({
  name: "example", cf: false, modules: true, scriptPath: "worker.mjs", compatibilityDate: "2026-09-01",
  durableObjects: { CLOCK: { className: "Clock", useSQLite: true } },
}));
const ask = async (path) => (await miniflare.dispatchFetch(`http://example.test${path}`)).json();
for (const mode of ["fails", "sets"]) await ask(`/begin?mode=${mode}`);
await new Promise((done) => setTimeout(done, 8000));
const fails = await ask("/seen?mode=fails");
const sets = await ask("/seen?mode=sets");
console.log(`fails: ${fails.runs} runs`);
console.log(`sets the next alarm, then fails: ${sets.runs} run, next alarm in ${sets.minutes} minutes`);
await miniflare.dispose();
END
)

expected=$(cat <<'END'
fails: 2 runs
sets the next alarm, then fails: 1 run, next alarm in 60 minutes
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
