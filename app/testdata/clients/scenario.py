"""The scenario by Python's urllib, with JSON. Each step prints its name, the status code
and the answer."""

import json
import os
import urllib.error
import urllib.request

URL, PASSWORD, KEY = (os.environ["DEDUPE_" + name] for name in ("URL", "TOKEN", "KEY"))


def step(name, path, members, password=PASSWORD):
    request = urllib.request.Request(
        URL + path,
        data=json.dumps(members).encode(),
        headers={"Authorization": "Bearer " + password, "Content-Type": "application/json"},
    )
    try:
        response = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as refused:
        response = refused
    with response:
        print(name, response.status, json.dumps(json.load(response)), sep="\t")


step("claim", "/v1/claim", {"key": KEY + ":1", "owner": "run-1"})
step("copy", "/v1/claim", {"key": KEY + ":1", "owner": "run-2"})
step("done", "/v1/done", {"key": KEY + ":1", "owner": "run-1", "result": {"id": 7}})
step("late-copy", "/v1/claim", {"key": KEY + ":1", "owner": "run-2"})
step("claim-2", "/v1/claim", {"key": KEY + ":2", "owner": "run-1"})
step("release", "/v1/release", {"key": KEY + ":2", "owner": "run-1", "error": "Postfach überfüllt"})
step("next-try", "/v1/claim", {"key": KEY + ":2", "owner": "run-2"})
step("no-key", "/v1/rules/stripe-events/claim", {"object": "event", "id": None})
step("wrong-password", "/v1/claim", {"key": KEY + ":3"}, password="dd_wrong")
