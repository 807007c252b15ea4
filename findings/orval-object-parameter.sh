#!/usr/bin/env bash
# orval 8.38.0: a query parameter that is an object is sent as `[object Object]`.
# Guess: `{"state":"open"}` is sent as `state=open`. A query parameter that names no style has `form` with
# `explode` (OpenAPI 3.1, Parameter Object).
# So: only lists and `deepObject` are taken apart. The call compiles. The filter does not reach the server,
# which answers with other invoices or refuses.
#
# Output seen on 2026-11-29:
#   {"tag":["a","b"]}: /invoices?tag=a&tag=b
#   {"deep":{"state":"open"}}: /invoices?deep[state]=open
#   {"form":{"state":"open"}}: /invoices?form=[object+Object]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts orval@8.38.0 typescript@5.9.3

npm pkg set type=module

seen=$(node --input-type=module - <<'END'
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
const schema = { type: "object", properties: { state: { type: "string" } } };
const parameters = [
  { name: "tag", in: "query", schema: { type: "array", items: { type: "string" } } },
  { name: "deep", in: "query", style: "deepObject", schema },
  { name: "form", in: "query", schema },
];
const paths = { "/invoices": { get: { operationId: "list", parameters, responses: { 204: { description: "" } } } } };
const openapi = { openapi: "3.1.0", info: { title: "Example", version: "1" }, paths };
writeFileSync("openapi.json", JSON.stringify(openapi));
execFileSync("npx", ["orval", "--input", "openapi.json", "--output", "api.ts", "--client", "fetch"], { stdio: "ignore" });
execFileSync("npx", ["tsc", "--module", "esnext", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "api.ts"]);
const { getListUrl } = await import(`${process.cwd()}/api.js`);
for (const one of [{ tag: ["a", "b"] }, { deep: { state: "open" } }, { form: { state: "open" } }])
  console.log(`${JSON.stringify(one)}: ${decodeURIComponent(getListUrl(one))}`);
END
)

expected=$(cat <<'END'
{"tag":["a","b"]}: /invoices?tag=a&tag=b
{"deep":{"state":"open"}}: /invoices?deep[state]=open
{"form":{"state":"open"}}: /invoices?form=[object+Object]
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
