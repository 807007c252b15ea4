#!/usr/bin/env bash
# @llamaindex/core 0.6.22: the result of a tool is thrown away if there is a null in it.
# Guess: a tool may return any JSON, and null is JSON (RFC 8259, section 3).
# So: the tool runs, and then the model is told that the call failed, for the check of the result does not
# know null. Its type `JSONValue` leaves null out as well, but no compiler sees what a server answers. A
# consult that was booked without a note is reported as an error, and an agent that tries again books it
# twice.
#
# Output seen on 2026-12-01:
#   note "none": booked 1, error false, {"booking_id":"bk_1","note":"none"}
#   note null: booked 1, error true, "Error(Error): Value is not a valid JSONValue: null"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @llamaindex/core@0.6.22 zod@3.25.76

seen=$(node --input-type=module - <<'END'
import { callTool } from "@llamaindex/core/agent";
import { FunctionTool } from "@llamaindex/core/tools";
const logger = { log() {}, error() {}, warn() {} };
for (const note of ["none", null]) {
  let booked = 0;
  const tool = FunctionTool.from(() => (booked += 1, { booking_id: "bk_1", note }),
    { name: "book", description: "Books a consult.", parameters: { type: "object", properties: {} } });
  const { output, isError } = await callTool(tool, { id: "1", name: "book", input: {} }, logger);
  console.log(`note ${JSON.stringify(note)}: booked ${booked}, error ${isError}, ${JSON.stringify(output)}`);
}
END
)

expected=$(cat <<'END'
note "none": booked 1, error false, {"booking_id":"bk_1","note":"none"}
note null: booked 1, error true, "Error(Error): Value is not a valid JSONValue: null"
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
