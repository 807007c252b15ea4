#!/usr/bin/env bash
# mcp-framework 0.2.22: a tool that takes a map of answers tells the model to send a text.
# Guess: `z.record` is listed as an object, as zod 4 itself writes it. What is listed and what is checked come
# from one schema, so that they agree.
# So: a type that the framework does not know is listed as `string`. A model that keeps to the list is refused
# each time. One that does not keep to it is answered.
#
# Output seen on 2026-11-29:
#   listed: {"type":"string","description":"By the id of the question"}
#   string: refused
#   object: {"recorded":1}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mcp-framework@0.2.22 @modelcontextprotocol/sdk@1.32.2 zod@3.25.76

npm pkg set type=module

seen=$(node --input-type=module - <<'END'
import { MCPTool } from "mcp-framework";
import { z } from "zod";
class SubmitAnswers extends MCPTool {
  name = "submit_answers";
  description = "Records answers.";
  schema = z.object({ answers: z.record(z.string(), z.string()).describe("By the id of the question") });
  async execute({ answers }) {
    return { recorded: Object.keys(answers).length };
  }
}
const tool = new SubmitAnswers();
console.log(`listed: ${JSON.stringify(tool.toolDefinition.inputSchema.properties.answers)}`);
for (const answers of ['{"goal":"retire"}', { goal: "retire" }]) {
  const { isError, content } = await tool.toolCall({ params: { name: tool.name, arguments: { answers } } });
  console.log(`${typeof answers}: ${isError ? "refused" : content[0].text}`);
}
END
)

expected=$(cat <<'END'
listed: {"type":"string","description":"By the id of the question"}
string: refused
object: {"recorded":1}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
