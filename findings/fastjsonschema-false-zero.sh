#!/usr/bin/env bash
# python3-fastjsonschema 2.16.3-2 (Debian): a valid 0 is refused, for it is taken for false.
# Guess: an answer that is false or a count may be 0. Two values are equal only if they have one type (JSON
# Schema draft-07, core, section 4.2.3), so that 0 is a count and nothing else. The documentation says that it
# follows the drafts 4, 6 and 7, and names no such difference.
# So: `const` and `enum` compare values as Python does, for which False and 0 are equal, and True and 1. Where
# a form asks for dependents, the answer 0 is refused because two alternatives match, and 2 is taken. With
# `type` beside it, false is false alone.
#
# Output seen on 2026-11-30:
#   {"oneOf": [{"const": false}, {"type": "integer"}]} and 2: valid
#   {"oneOf": [{"const": false}, {"type": "integer"}]} and 0: refused
#   {"oneOf": [{"const": false, "type": "boolean"}, {"type": "integer"}]} and 0: valid
#   {"oneOf": [{"type": "boolean"}, {"enum": [1, 2]}]} and true: refused
#   {"not": {"const": 0}} and false: refused
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
for schema, value in [
    ('{"oneOf": [{"const": false}, {"type": "integer"}]}', "2"),
    ('{"oneOf": [{"const": false}, {"type": "integer"}]}', "0"),
    ('{"oneOf": [{"const": false, "type": "boolean"}, {"type": "integer"}]}', "0"),
    ('{"oneOf": [{"type": "boolean"}, {"enum": [1, 2]}]}', "true"),
    ('{"not": {"const": 0}}', "false"),
]:
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
{"oneOf": [{"const": false}, {"type": "integer"}]} and 2: valid
{"oneOf": [{"const": false}, {"type": "integer"}]} and 0: refused
{"oneOf": [{"const": false, "type": "boolean"}, {"type": "integer"}]} and 0: valid
{"oneOf": [{"type": "boolean"}, {"enum": [1, 2]}]} and true: refused
{"not": {"const": 0}} and false: refused
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
