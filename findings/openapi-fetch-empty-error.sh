#!/usr/bin/env bash
# openapi-fetch 0.17.0: an error without content is no error.
# Guess: for a status of 400 or more `error` is set, so that `if (error)` finds each failure. The README has
# it for answers of 4XX or 5XX.
# So: of an answer without content it is undefined, as for a success without content. A cancellation that was
# refused with 409 or 503 is reported as done. `response.ok` tells them apart. A known bug: issue 2530, which
# is open.
#
# Output seen on 2026-11-30:
#   204 with nothing: done
#   409 with {"status":409}: an error
#   409 with nothing: done
#   503 with nothing: done
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-fetch@0.17.0

seen=$(node --input-type=module - <<'END'
import createClient from "openapi-fetch";
for (const [status, content] of [[204, null], [409, "{\"status\":409}"], [409, null], [503, null]]) {
  const fetch = async () => new Response(content, { status, headers: { "content-length": content?.length ?? 0 } });
  const client = createClient({ baseUrl: "https://example.com", fetch });
  const { error } = await client.DELETE("/consults/1");
  console.log(`${status} with ${content ?? "nothing"}: ${error ? "an error" : "done"}`);
}
END
)

expected=$(cat <<'END'
204 with nothing: done
409 with {"status":409}: an error
409 with nothing: done
503 with nothing: done
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
