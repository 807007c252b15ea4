#!/usr/bin/env bash
# @anthropic-ai/sdk 1.14.0: a JSON resource of an MCP server cannot be given to the model.
# Guess: `mcpResourceToContent` gives a resource with `text` as a document of plain text, for MCP has `blob`
# for what is no text. `application/json` is the type of most resources that hold data.
# So: the type decides, and `text` is not looked at. The opening hours as `application/json` throw, and the
# same text as `text/json` or without any type is taken as plain text. The comment of the function says that
# it throws where no type is supported, and does not say which are.
#
# Output seen on 2026-12-01:
#   undefined: {"type":"text","data":"{\"opens\":\"09:00\"}","media_type":"text/plain"}
#   text/json: {"type":"text","data":"{\"opens\":\"09:00\"}","media_type":"text/plain"}
#   application/json: No supported MIME type found in resource contents. Available: application/json
#   application/calendar+json: No supported MIME type found in resource contents. Available: application/calendar+json
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/sdk@1.14.0

seen=$(node --input-type=module - <<'END'
import { mcpResourceToContent } from "@anthropic-ai/sdk/helpers/beta/mcp";
const text = '{"opens":"09:00"}';
for (const mimeType of [undefined, "text/json", "application/json", "application/calendar+json"]) {
  let seen;
  try {
    seen = JSON.stringify(mcpResourceToContent({ contents: [{ uri: "consult://hours", mimeType, text }] }).source);
  } catch (error) {
    seen = error.message;
  }
  console.log(`${mimeType}: ${seen}`);
}
END
)

expected=$(cat <<'END'
undefined: {"type":"text","data":"{\"opens\":\"09:00\"}","media_type":"text/plain"}
text/json: {"type":"text","data":"{\"opens\":\"09:00\"}","media_type":"text/plain"}
application/json: No supported MIME type found in resource contents. Available: application/json
application/calendar+json: No supported MIME type found in resource contents. Available: application/calendar+json
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
