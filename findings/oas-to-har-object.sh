#!/usr/bin/env bash
# @readme/oas-to-har 38.5.1: an object in a query is sent with its name, and its first member is lost.
# Guess: `{"state":"open","page":2}` in the parameter `filter` is sent as `state=open&page=2`. A query
# parameter that names no style has `form` with `explode` (OpenAPI 3.1, Parameter Object and Style Examples).
# So: it is `filter=state=open&page=2`, in which no server finds a state. With the same defaults written out,
# it is right.
#
# Output seen on 2026-12-01:
#   deepObject: filter[state]=open&filter[page]=2
#   no style: filter=state=open&page=2
#   form, with explode: state=open&page=2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @readme/oas-to-har@38.5.1 oas@38.6.0

seen=$(node --input-type=module - <<'END'
import oasToHar from "@readme/oas-to-har";
import Oas from "oas";
const show = (more) => {
  const schema = { type: "object", additionalProperties: true };
  const parameters = [{ name: "filter", in: "query", schema, ...more }];
  const paths = { "/consults": { get: { parameters, responses: { 200: { description: "" } } } } };
  const info = { title: "Example", version: "1" };
  const oas = Oas.init({ openapi: "3.1.0", info, servers: [{ url: "https://example.com" }], paths });
  const har = oasToHar(oas, oas.operation("/consults", "get"), { query: { filter: { state: "open", page: 2 } } });
  return har.log.entries[0].request.queryString.map(({ name, value }) => `${name}=${value}`).join("&");
};
console.log(`deepObject: ${show({ style: "deepObject", explode: true })}`);
console.log(`no style: ${show({})}`);
console.log(`form, with explode: ${show({ style: "form", explode: true })}`);
END
)

expected=$(cat <<'END'
deepObject: filter[state]=open&filter[page]=2
no style: filter=state=open&page=2
form, with explode: state=open&page=2
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
