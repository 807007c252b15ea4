#!/usr/bin/env bash
# python3-fastjsonschema 2.16.3-2 (Debian): a consent that has to be true may be 1.
# Guess: `{"const": true}` takes true alone, and `{"enum": [0, 1]}` takes no boolean: two values are equal only if
# they have one type (JSON Schema draft-07, core, section 4.2.3). The documentation says that it follows the drafts
# 4, 6 and 7.
# So: values are compared as Python does, for which True and 1 are equal, and False and 0. A request with
# `"confirm": 1`, or a count of true, passes, and the next program that checks it refuses it. `type` beside it keeps
# the two apart.
#
# Output seen on 2026-11-30:
#   {"const": true} and 1: valid
#   {"const": 0} and false: valid
#   {"enum": [0, 1]} and true: valid
#   {"const": true, "type": "boolean"} and 1: refused
#   {"const": true} and "true": refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-fastjsonschema=2.16.3-2 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" /usr/bin/python3 -W ignore - <<'END'
import json
import fastjsonschema
for schema, value in [('{"const": true}', "1"), ('{"const": 0}', "false"), ('{"enum": [0, 1]}', "true"),
                      ('{"const": true, "type": "boolean"}', "1"), ('{"const": true}', '"true"')]:
    check = fastjsonschema.compile({"$schema": "http://json-schema.org/draft-07/schema#", **json.loads(schema)})
    try:
        check(json.loads(value))
        found = "valid"
    except fastjsonschema.JsonSchemaException:
        found = "refused"
    print(f"{schema} and {value}: {found}")
END
)

expected=$(cat <<'END'
{"const": true} and 1: valid
{"const": 0} and false: valid
{"enum": [0, 1]} and true: valid
{"const": true, "type": "boolean"} and 1: refused
{"const": true} and "true": refused
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
