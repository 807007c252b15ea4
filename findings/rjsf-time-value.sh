#!/usr/bin/env bash
# @rjsf/core 6.11.1: a time that the schema asks for is shown as an empty field.
# Guess: an answer that is valid is shown again. The format `time` is a time with an offset, such as 10:00:00Z
# (JSON Schema 2020-12, validation, section 7.3.1).
# So: it is handed as it is to `<input type="time">`, which takes no offset and is empty then (HTML, section
# 4.10.5.1.10, value sanitization). The client, whose answer came by the API, sees a question without an
# answer. The source of version 7, which is not released yet, takes the offset off.
#
# Output seen on 2026-11-30:
#   10:00:00: 0 errors, shown "10:00"
#   10:00:00Z: 0 errors, shown ""
#   10:00:00-05:00: 0 errors, shown ""
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @rjsf/core@6.11.1 @rjsf/utils@6.11.1 \
  @rjsf/validator-ajv8@6.11.1 react@18.3.1 react-dom@18.3.1 jsdom@29.1.1

seen=$(node --input-type=module - <<'END'
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { JSDOM } from "jsdom";
import Form from "@rjsf/core";
import validator from "@rjsf/validator-ajv8";
const schema = { type: "string", format: "time" };
for (const formData of ["10:00:00", "10:00:00Z", "10:00:00-05:00"]) {
  const page = new JSDOM(renderToStaticMarkup(createElement(Form, { schema, formData, validator })));
  const { errors } = validator.validateFormData(formData, schema);
  console.log(`${formData}: ${errors.length} errors, shown "${page.window.document.querySelector("input").value}"`);
}
END
)

expected=$(cat <<'END'
10:00:00: 0 errors, shown "10:00"
10:00:00Z: 0 errors, shown ""
10:00:00-05:00: 0 errors, shown ""
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
