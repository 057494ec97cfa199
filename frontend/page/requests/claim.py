import json, os, urllib.request, uuid

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

event = {"rule": "RULE", "key": "test:hello", "owner": str(uuid.uuid4())}
answer = call("claim", **event)
if answer["status"] == "claimed":
    # You got it. Do the work here, then:
    call("done", **event)
else:
    print("Copy stopped:", answer["reason"])
