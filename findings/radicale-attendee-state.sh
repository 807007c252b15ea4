#!/usr/bin/env bash
# radicale 3.1.8-2 (Debian): an invitation that Dana declined is found among those that she accepted.
# Guess: a query for the attendee Dana with PARTSTAT=ACCEPTED finds the events in which one line says both. A
# property has to match the text and the parameter (RFC 4791, section 9.7.2), and section 7.8.7 has such a
# query as its example.
# So: one line may match the text, and another one the parameter. Each event that Dana declined and Jordan
# accepted is found for both states and both people. A client that lists what is still to be answered gets
# what others have to answer.
#
# Output seen on 2026-12-01:
#   Events with Dana as DECLINED: 1
#   Events with Dana as ACCEPTED: 1
#   Events with Dana as NEEDS-ACTION: 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq python3-radicale=3.1.8-2 python3-vobject python3-dateutil python3-defusedxml \
  python3-passlib python3-pkg-resources python3-tz python3-six 2>/dev/null ||
  { echo "Debian no longer has this version, or its package lists are not here."; exit 1; }
for file in *.deb; do dpkg -x "$file" .; done

seen=$(PYTHONPATH="$folder/usr/lib/python3/dist-packages" TZ=UTC /usr/bin/python3 -W ignore - <<'END'
import io
from radicale import Application, config

settings = config.load()
folder = {"filesystem_folder": "store"}
settings.update({"storage": folder, "logging": {"level": "critical"}}, "test")
server = Application(settings)

def ask(method, path, body=""):
    data = body.encode()
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "SCRIPT_NAME": "", "HTTP_DEPTH": "1",
               "HTTP_AUTHORIZATION": "Basic ZGFuYTp4", "CONTENT_LENGTH": str(len(data)),
               "wsgi.input": io.BytesIO(data), "wsgi.errors": io.StringIO()}
    return b"".join(server(environ, lambda status, headers: None)).decode()

ask("MKCALENDAR", "/dana/consults/")
ask("PUT", "/dana/consults/1.ics", "\r\n".join([
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20261101T000000Z",
    "DTSTART:20261201T150000Z", "SUMMARY:Consult", "ATTENDEE;PARTSTAT=DECLINED:mailto:dana@example.com",
    "ATTENDEE;PARTSTAT=ACCEPTED:mailto:jordan@example.com", "END:VEVENT", "END:VCALENDAR", ""]))
for state in ("DECLINED", "ACCEPTED", "NEEDS-ACTION"):
    answer = ask("REPORT", "/dana/consults/", f"""<?xml version="1.0"?>
      <C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>
      <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:prop-filter name="ATTENDEE">
      <C:text-match>mailto:dana@example.com</C:text-match>
      <C:param-filter name="PARTSTAT"><C:text-match>{state}</C:text-match></C:param-filter>
      </C:prop-filter></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>""")
    print("Events with Dana as", state + ":", answer.count("/1.ics"))
END
)

expected=$(cat <<'END'
Events with Dana as DECLINED: 1
Events with Dana as ACCEPTED: 1
Events with Dana as NEEDS-ACTION: 0
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
