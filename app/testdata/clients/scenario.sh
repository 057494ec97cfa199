#!/bin/sh
# The scenario by curl, with forms as curl sends them by itself. Each step prints its
# name, the status code and the answer.
set -eu

step() { # NAME PASSWORD PATH ARGS…
  name=$1 password=$2 path=$3
  shift 3
  printf '%s\t' "$name"
  curl --silent --show-error --max-time 60 --write-out '\t%{http_code}\t' --output "$ANSWER" \
    --header "X-Api-Key: $password" "$DEDUPE_URL$path" "$@" | tr -d '\t'
  printf '\t'
  cat "$ANSWER"
}

ANSWER=$(mktemp)
trap 'rm -f "$ANSWER"' EXIT
t=$DEDUPE_TOKEN

step claim "$t" /v1/claim -d "key=$DEDUPE_KEY:1" -d owner=run-1
step copy "$t" /v1/claim -d "key=$DEDUPE_KEY:1" -d owner=run-2
step done "$t" /v1/done -d "key=$DEDUPE_KEY:1" -d owner=run-1 --data-urlencode 'result={"id": 7}'
step late-copy "$t" /v1/claim -d "key=$DEDUPE_KEY:1" -d owner=run-2
step claim-2 "$t" /v1/claim -d "key=$DEDUPE_KEY:2" -d owner=run-1
step release "$t" /v1/release -d "key=$DEDUPE_KEY:2" -d owner=run-1 --data-urlencode 'error=Postfach überfüllt'
step next-try "$t" /v1/claim -d "key=$DEDUPE_KEY:2" -d owner=run-2
step no-key "$t" /v1/rules/stripe-events/claim --json '{"object": "event", "id": null}'
step wrong-password dd_wrong /v1/claim -d "key=$DEDUPE_KEY:3"
