#!/usr/bin/env bash
# libjson-validator-perl 5.14+dfsg-1 (Debian): a list of 1 and "1" has one item twice.
# Guess: a number and a text are never equal (JSON Schema draft-07, core, section 4.2.3), so `uniqueItems`
# takes a list of both, and `const` and `enum` tell them apart, as `type` does here. The documentation of
# `coerce` says so, too: without it, "1" is not the same as 1.
# So: they are compared as texts. The list is refused, and an answer "1" is taken where the schema has 1.
# Within a list in `const` they are told apart. What a form accepts here, a service with another validator
# refuses.
#
# Output seen on 2026-11-30:
#   1 with {"type":"string"}: refused
#   "1" with {"const":1}: accepted
#   1 with {"enum":["1","2"]}: accepted
#   ["1"] with {"const":[1]}: refused
#   [1,"1"] with {"uniqueItems":true}: refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=libjson-validator-perl
needed=$(apt-cache depends --recurse --important $package | grep -E '^lib.*-perl$' | grep -vx $package || true)
apt-get download -qq $package=5.14+dfsg-1 openapi-specification $needed 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done
export PERL5LIB="$folder/usr/share/perl5:$(echo "$folder"/usr/lib/*/perl5/5.36)"

seen=$(TZ=UTC /usr/bin/perl - <<'END'
use strict; use warnings;
use JSON::Validator;
use Mojo::JSON qw(decode_json);
for my $case (['{"type":"string"}', '1'], ['{"const":1}', '"1"'], ['{"enum":["1","2"]}', '1'],
  ['{"const":[1]}', '["1"]'], ['{"uniqueItems":true}', '[1,"1"]']) {
  my ($schema, $value) = @$case;
  my $draft = '{"$schema":"http://json-schema.org/draft-07/schema#",';
  my $validator = JSON::Validator->new->schema(decode_json($schema =~ s/^\{/$draft/r));
  my @errors = $validator->validate(decode_json("[$value]")->[0]);
  print "$value with $schema: ", (@errors ? "refused" : "accepted"), "\n";
}
END
)

expected=$(cat <<'END'
1 with {"type":"string"}: refused
"1" with {"const":1}: accepted
1 with {"enum":["1","2"]}: accepted
["1"] with {"const":[1]}: refused
[1,"1"] with {"uniqueItems":true}: refused
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
