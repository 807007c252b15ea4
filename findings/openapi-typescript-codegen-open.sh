#!/usr/bin/env bash
# openapi-typescript-codegen 0.31.0: an object that may have further members loses the ones that it names.
# Guess: `code` and `detail` stay typed where `additionalProperties` is true. True is the default of the word
# (OpenAPI 3.0, Schema Object).
# So: the type is `Record<string, any>`. A problem (RFC 9457) may have such members, so it is typed so. A
# misspelt `problem.cod` compiles, and the person is shown `undefined`.
#
# Output seen on 2026-11-29:
#   export type Plain = {
#       code: string;
#       detail?: string;
#   };
#   export type Open = Record<string, any>;
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-typescript-codegen@0.31.0

seen=$(node --input-type=module - <<'END'
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
const problem = {
  type: "object",
  required: ["code"],
  properties: { code: { type: "string" }, detail: { type: "string" } },
};
const schemas = { Plain: problem, Open: { ...problem, additionalProperties: true } };
const openapi = { openapi: "3.0.3", info: { title: "Example", version: "1" }, paths: {}, components: { schemas } };
writeFileSync("openapi.json", JSON.stringify(openapi));
execFileSync("npx", ["openapi", "--input", "openapi.json", "--output", "api"]);
for (const name of Object.keys(schemas)) {
  const written = readFileSync(`api/models/${name}.ts`, "utf8");
  console.log(written.slice(written.indexOf("export type")).trim());
}
END
)

expected=$(cat <<'END'
export type Plain = {
    code: string;
    detail?: string;
};
export type Open = Record<string, any>;
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
