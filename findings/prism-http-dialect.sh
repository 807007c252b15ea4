#!/usr/bin/env bash
# @stoplight/prism-http 5.16.0: a document of OpenAPI 3.1 is checked as JSON Schema draft-07.
# Guess: a schema of OpenAPI 3.1 is JSON Schema 2020-12 (section 4.8.24), so that the mock refuses a request
# without a field that `dependentRequired` asks for, or with one that `unevaluatedProperties` forbids.
# So: keywords that draft-07 does not have are passed over without a word, also where `$schema` names 2020-12.
# Only with `jsonSchemaDialect` in the document they count. A client that is tested against the mock is
# refused by the real server. Known as issue 2797, which is open.
#
# Output seen on 2026-11-30:
#   required: refused, with $schema refused, with jsonSchemaDialect refused
#   dependentRequired: taken, with $schema taken, with jsonSchemaDialect refused
#   unevaluatedProperties: taken, with $schema taken, with jsonSchemaDialect refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @stoplight/prism-http@5.16.0 @stoplight/prism-core@5.16.0

seen=$(node --input-type=module - <<'END'
import prismCore from "@stoplight/prism-core";
import prismHttp from "@stoplight/prism-http";
const logger = prismCore.createLogger("mock", { enabled: false });
const config = { isProxy: false, mock: { dynamic: false }, checkSecurity: true, validateRequest: true,
  validateResponse: true, errors: false };
const [path, body] = ["/consults", { remote: true, note: "" }];
const send = async (schema, dialect) => {
  const requestBody = { content: { "application/json": { schema } } };
  const post = { requestBody, responses: { 204: { description: "Booked" } } };
  const info = { title: "Consults", version: "1" };
  const document = { openapi: "3.1.0", ...dialect, info, paths: { [path]: { post } } };
  const operations = await prismHttp.getHttpOperationsFromSpec(document);
  const request = { method: "post", url: { path }, headers: { "content-type": "application/json" }, body };
  const { left, right } = await prismHttp.createInstance(config, { logger }).request(request, operations)();
  if (right) return right.output.statusCode === 204 ? "taken" : "another answer";
  return left.additional.validation.length === 1 ? "refused" : "another error";
};
for (const keyword of [
  { required: ["link"] },
  { dependentRequired: { remote: ["link"] } },
  { unevaluatedProperties: false },
]) {
  const schema = { type: "object", properties: { remote: { type: "boolean" } }, ...keyword };
  const url = "https://json-schema.org/draft/2020-12/schema";
  const [plain, named] = [await send(schema), await send({ $schema: url, ...schema })];
  const dialect = await send(schema, { jsonSchemaDialect: url });
  console.log(`${Object.keys(keyword)[0]}: ${plain}, with $schema ${named}, with jsonSchemaDialect ${dialect}`);
}
END
)

expected=$(cat <<'END'
required: refused, with $schema refused, with jsonSchemaDialect refused
dependentRequired: taken, with $schema taken, with jsonSchemaDialect refused
unevaluatedProperties: taken, with $schema taken, with jsonSchemaDialect refused
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
