# Run it as: python3 claim.py YOUR-EVENT-KEY
import json, os, sys, urllib.request, uuid

if len(sys.argv) < 2:
    sys.exit("Give the event key as the first word: python3 claim.py stripe:evt_1")

def call(what, **fields):
    request = urllib.request.Request(
        "ADDRESS/v1/" + what,
        data=json.dumps(fields).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["DEDUPE_PASSWORD"],
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)

event = {"rule": "RULE", "key": sys.argv[1], "owner": str(uuid.uuid4())}
answer = call("claim", **event)
if answer["status"] == "claimed":
    # You got it. Do the work here, then:
    call("done", **event)
else:
    print("Not for this run:", answer["reason"])
