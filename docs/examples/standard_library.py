"""Books a consult over REST with nothing but Python's standard library (3.9 or newer):
    python3 docs/examples/standard_library.py form-81               lists free times
    python3 docs/examples/standard_library.py form-81 START_TIME    books one of them
CONNECTOR_URL names the connector, CONNECTOR_API_KEY holds a key with availability:read and bookings:write."""
import json, os, sys, time
from urllib import error, request

URL = os.environ.get("CONNECTOR_URL", "http://127.0.0.1:8787")
if len(sys.argv) < 2:
    sys.exit(__doc__)
entry, *chosen = sys.argv[1:]
# The same whenever this runs for the same form entry: then nothing is booked twice.
HEADERS = {"Content-Type": "application/json", "Idempotency-Key": f"booking-{entry}"}
if os.environ.get("CONNECTOR_API_KEY"):
    HEADERS["Authorization"] = "Bearer " + os.environ["CONNECTOR_API_KEY"]


def send(path, body=None):
    """Sends a request, and the very same again for as long as the connector says that this can help."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with request.urlopen(request.Request(URL + path, data, HEADERS)) as response:
                return json.load(response)
        except error.HTTPError as refused:
            problem = json.load(refused)
            if not problem["retryable"]:
                fields = [f"  {one['pointer']}: {one['detail']}" for one in problem.get("errors", [])]
                sys.exit("\n".join([f"{problem['code']}: {problem['detail']}", *fields, problem["next_step"]]))
            time.sleep(problem.get("retry_after_seconds", 5))


if not chosen:
    for slot in send("/v1/availability?limit=3")["slots"]:
        print(slot["start_time"])
else:
    guest = {"invitee_email": "jordan@example.com", "invitee_name": "Jordan Doe"}
    consult = {"start_time": chosen[0], "timezone": "America/New_York", **guest}
    answer = send("/v1/bookings", {**consult, "confirm": False})
    # Where the consult was booked before, the answer is that commit.
    if answer["status"] == "preview":
        print(answer["summary"], *answer["warnings"], sep="\n")
        if input("Book it? (y/n) ").strip().lower() not in ("y", "yes"):
            print("Nothing was booked.")
            sys.exit()
        token = answer["confirmation_token"]
        answer = send("/v1/bookings", {**consult, "confirm": True, "confirmation_token": token})
    print(answer["summary"], answer["result"]["booking_id"])
