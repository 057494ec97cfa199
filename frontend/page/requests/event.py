# Run it as: python3 claim.py event.json
import json, os, sys, urllib.request, uuid

if len(sys.argv) < 2:
    sys.exit("Give the file that holds the event: python3 claim.py event.json")
with open(sys.argv[1], "rb") as file:
    event = file.read()

def call(what, body):
    request = urllib.request.Request(
        "ADDRESS/v1/" + what,
        data=body,
        headers={
            "Authorization": "Bearer " + os.environ["DEDUPE_PASSWORD"],
            "Content-Type": "application/json",
            # If the rule reads headers of the event, add them here.
        },
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)

owner = str(uuid.uuid4())
answer = call("rules/RULE/claim?owner=" + owner, event)
# A rule that splits its events answers once for each of them.
for one in answer.get("results", [answer]):
    if one["status"] == "claimed":
        # You got it. Do the work here, then:
        call("done", json.dumps({"rule": "RULE", "key": one["key"], "owner": owner}).encode())
    else:
        print("Not for this run:", one["reason"])
