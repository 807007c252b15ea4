#!/usr/bin/env bash
# liblingua-en-nameparse-perl 1.38-1 (Debian): Jo Roe has two initials and no first name.
# Guess: a word of one capital and a small letter is a first name, as of Jo, Ed or Al. The page of the module has
# initials in capitals only, and names ED WOOD as the doubtful case.
# So: every first word of two letters is taken for initials, and is written in capitals. A letter goes to `JO Roe`.
#
# Output seen on 2026-11-29:
#   Dana Roe: first "Dana", initials "", written Dana Roe
#   Jo Roe: first "", initials "JO", written JO Roe
#   Ed Roe: first "", initials "ED", written ED Roe
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq liblingua-en-nameparse-perl=1.38-1 libparse-recdescent-perl=1.967015+dfsg-4 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PERL5LIB="$folder/usr/share/perl5" perl - <<'END'
use Lingua::EN::NameParse;
my $parser = Lingua::EN::NameParse->new;
for my $name ("Dana Roe", "Jo Roe", "Ed Roe") {
  my $error = $parser->parse($name);
  my %parts = $parser->components;
  printf "%s: first \"%s\", initials \"%s\", written %s\n", $name, $parts{given_name_1} // "", $parts{initials_1} // "",
    $parser->case_all;
}
END
)

expected=$(cat <<'END'
Dana Roe: first "Dana", initials "", written Dana Roe
Jo Roe: first "", initials "JO", written JO Roe
Ed Roe: first "", initials "ED", written ED Roe
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
