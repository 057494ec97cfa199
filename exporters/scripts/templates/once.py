#!/usr/bin/env python3
"""Does the work of an event once, however often the event comes.

It asks Dedupe Desk before the work and reports after it. It needs Python 3.8 and
nothing else.

    DEDUPE_TOKEN=… python3 THIS-FILE EVENT.json [HEADERS.json]

EVENT.json is the event as the sender sent it ("-" reads it from the input), and
HEADERS.json an object with its headers, if the rule reads one. The password comes from
DEDUPE_TOKEN and never stands in this file.

Exit code: 0 the work was done, or this was a copy. 1 the work failed and its key was
given back, or a person has to decide (see Keys). 2 the key could not be asked for or
reported. 75 another run is at it: try again later, in case that one fails.
"""
import http.client
import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request

RULE = «py .Rule»
ADDRESS = «py .Address»
BEAT = «.Beat»  # seconds between two requests for more time
GO_ON = «if .GoOn»True«else»False«end»  # work without asking where nobody answers
«- if .Each»
ITEMS = «pyList .EachPath»  # where the event has the list of items
«- end»


«if .Each -»
def work(event, item, key):
    """Your work for one item of the event. Return the id of what was made, or None; raise to fail."""
«- else -»
def work(event, key):
    """Your work for the event. Return the id of what was made, or None; raise to fail."""
«- end»
    raise NotImplementedError("Put your work into the function work of this file.")


OWNER = "py-%s-%d-%s" % (socket.gethostname()[:60], os.getpid(), secrets.token_hex(8))


class NoAnswer(Exception):
    """Nobody answered, or something else than Dedupe Desk did."""


class Refused(Exception):
    """Dedupe Desk said no."""


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which would carry the password elsewhere."""

    def redirect_request(self, *moved):
        return None


STATUSES = ("claimed", "done", "in_progress", "held", "mismatch", "ignored", "released")


def call(path, members):
    """Returns the status code and the answer."""
    headers = {"Content-Type": "application/json", "X-Api-Key": os.environ["DEDUPE_TOKEN"]}
    request = urllib.request.Request(ADDRESS + "/v1/" + path, json.dumps(members).encode(), headers)
    try:
        with urllib.request.build_opener(Stay).open(request, timeout=20) as response:
            code, raw = response.status, response.read()
    except urllib.error.HTTPError as error:
        code, raw = error.code, error.read()
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(str(error)) from None
    try:
        answer = json.loads(raw)
    except ValueError:
        answer = None
    ours = isinstance(answer, dict) and ("run" in answer or "results" in answer or answer.get("status") in STATUSES)
    if not ours:
        raise NoAnswer("a page came instead of an answer, status code %d" % code)
    return code, answer


def insist(path, members):
    """Calls again, under the same owner, while nobody could answer. Returns the answer."""
    members = dict(members, rule=RULE, owner=OWNER)
    for pause in (1, 3, 6, None):
        try:
            code, answer = call(path, members)
            if code < 300:
                return answer
            if code < 400:
                raise NoAnswer("the call was sent elsewhere, status code %d" % code)
            failure = Refused(str(answer.get("detail") or answer))
            if code != 429 and code < 500:
                raise failure
        except NoAnswer as error:
            failure = error
        if pause is not None:
            time.sleep(pause)
    raise failure


class KeepAlive:
    """Asks for more time for all keys that are held, until it is stopped."""

    def __init__(self):
        self.keys, self.mine, self.lock, self.end = set(), set(), threading.Lock(), threading.Event()
        threading.Thread(target=self.beat, daemon=True).start()

    def beat(self):
        while not self.end.wait(BEAT):
            with self.lock:
                keys = list(self.keys)
            for key in keys:
                try:
                    code, answer = call("renew", {"rule": RULE, "key": key, "owner": OWNER})
                except NoAnswer:
                    continue
                if code in (404, 409) and self.drop(key):
                    say("The key %s is no longer held by this run, so another may do the same work." % key)

    def hold(self, key):
        with self.lock:
            self.keys.add(key)
            self.mine.add(key)

    def drop(self, key):
        with self.lock:
            held = key in self.keys
            self.keys.discard(key)
            return held


def say(text):
    print("%s: %s" % (os.path.basename(sys.argv[0]), text), file=sys.stderr)


class Ending:
    """Ends the script on a signal, so that its keys are given back, but not while the end
    of the work is written down."""

    def __init__(self):
        self.reporting, self.came = False, None
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, self.take)

    def take(self, number, _):
        self.came = number
        if not self.reporting:
            sys.exit(128 + number)

    def reports(self, now):
        self.reporting = now
        if not now and self.came is not None:
            sys.exit(128 + self.came)


def give_back(alive, key, error):
    alive.drop(key)
    try:
        insist("release", {"key": key, "error": error[:500]})
    except (NoAnswer, Refused) as again:
        say("The work failed, and the key %s could not be given back: %s" % (key, again))


def handle(alive, ending, answer, do):
    """Does what the answer to one claim asks for. Returns the exit code."""
    status, key = answer.get("status"), answer.get("key")
    if status in ("done", "ignored"):
        return 0
    if status == "in_progress":
        return 0 if key in alive.mine else 75  # 0: a second item of this event has the key
    if status in ("held", "mismatch"):
        say("A person has to decide about %s: %s" % (key, answer.get("reason")))
        return 1
    if status != "claimed":
        say("The key could not be reserved, so nothing was done: %s" % json.dumps(answer))
        return 2
    try:
        result = do(key)
    except BaseException as error:
        give_back(alive, key, "%s: %s" % (type(error).__name__, error))
        if not isinstance(error, Exception):
            raise
        traceback.print_exc()
        return 1
    ending.reports(True)
    alive.drop(key)
    try:
        insist("done", dict({"key": key}, **({} if result is None else {"result": str(result)})))
    except (NoAnswer, Refused) as error:
        say("The work was done, but that could not be written down, so it may be done again: %s" % error)
        return 2
    finally:
        ending.reports(False)
    return 0


«if .Each -»
def items_of(event):
    for name in ITEMS:
        event = event[name]
    return event


«end -»
def main():
    if len(sys.argv) < 2 or not os.environ.get("DEDUPE_TOKEN"):
        say("Call it with a file of the event, and with the password in DEDUPE_TOKEN.")
        return 2
    ending = Ending()
    try:
        raw = sys.stdin.buffer.read() if sys.argv[1] == "-" else open(sys.argv[1], "rb").read()
        text, event = raw.decode(), json.loads(raw)
        members = {"event": text}
«- if .Headers»
        if len(sys.argv) < 3:
            say("The rule reads a header: hand over a file with the headers too.")
            return 2
«- end»
        if len(sys.argv) > 2:
            members["headers"] = json.load(open(sys.argv[2], encoding="utf-8"))
    except (OSError, ValueError) as error:
        say("The event could not be read: %s" % error)
        return 2
    try:
        answer = insist("claim?answer=branch", members)
    except Refused as error:
        say("The key could not be reserved, so nothing was done: %s" % error)
        return 2
    except NoAnswer as error:
        if not GO_ON:
            say("The key could not be reserved, so nothing was done: %s" % error)
            return 2
        say("Nobody could be asked, and the rule rather has the work done twice than not at all: %s" % error)
«- if .Each»
        for item in items_of(event):
            work(event, item, None)
«- else»
        work(event, None)
«- end»
        return 0
    alive = KeepAlive()
«- if .Each»
    items, answers = items_of(event), answer.get("results")
    if not isinstance(answers, list) or len(answers) != len(items):
        say("The answer does not tell each item, so nothing was done: %s" % json.dumps(answer))
        return 2
    for one in answers:
        if one.get("status") == "claimed":
            alive.hold(one["key"])
    try:
        codes = [handle(alive, ending, one, lambda key, item=item: work(event, item, key)) for one, item in zip(answers, items)]
    finally:  # the keys of items whose turn did not come
        ending.reporting = True
        for key in list(alive.keys):
            give_back(alive, key, "The script was ended before this item.")
    code = max(codes, default=0)
«- else»
    if answer.get("status") == "claimed":
        alive.hold(answer["key"])
    code = handle(alive, ending, answer, lambda key: work(event, key))
«- end»
    alive.end.set()
    return code


if __name__ == "__main__":
    sys.exit(main())
