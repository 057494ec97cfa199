#!/bin/sh
# Does the work of an event once, however often the event comes. It asks Dedupe Desk
# before the work and reports after it. It needs curl.
#
#   DEDUPE_TOKEN=… sh THIS-FILE EVENT.json [HEADERS.json]
#
# EVENT.json is the event as the sender sent it ("-" reads it from the input), and
# HEADERS.json an object with its headers, if the rule reads one. The password comes from
# DEDUPE_TOKEN and never stands in this file.
#
# Exit code: 0 the work was done, or this was a copy. 1 a person has to decide (see Keys).
# 2 the key could not be asked for or reported. 75 another run is at it: try again later,
# in case that one fails. Else the work's own: its key was given back.
set -u

RULE=«sh .Rule»
RULE_JSON=«sh (json .Rule)»
ADDRESS=«sh .Address»
BEAT=«.Beat»
IF_UNREACHABLE=«.IfUnreachable»

# Your work. $1 is a file with the event, $2 its key as JSON text, $3 a file to write the
# id of what was made to. Every command that fails ends it.
work() {
  echo "Put your work into the function work of this file." >&2
  return 70
}

say() { printf '%s: %s\n' "${0##*/}" "$1" >&2; }

# call PATH CURL-ARGUMENTS…  leaves the answer in the file $answer and its status code in
# $code, 000 where nobody answered. The password goes to curl by its input: arguments can
# be seen by others.
call() {
  path=$1
  shift
  : >"$answer"
  code=$(printf 'header = "X-Api-Key: %s"\n' "$DEDUPE_TOKEN" |
    curl --config - --silent --max-time 20 --output "$answer" --write-out '%{http_code}' "$ADDRESS/v1/$path" "$@") || code=000
}

# insist calls again, under the same owner, while nobody could answer.
insist() {
  for pause in 1 3 6 0; do
    call "$@"
    case $code in 000 | 429 | 5??) ;; *) return ;; esac
    sleep "$pause"
  done
}

# status is the first member of an answer; a result that looks like one is behind it.
status() { [ "$code" = 200 ] && sed -nE 's/^\{"status":"([a-z_]+)".*/\1/p' "$answer"; }

# report WHAT MORE  tells the end of the work. MORE is the rest of a JSON object.
report() {
  insist "$1" --header 'Content-Type: application/json' --data-binary "{\"rule\":$RULE_JSON,\"key\":$key,\"owner\":\"$owner\"$2}"
}

# keep_alive asks for more time until it is ended, or the script is gone.
keep_alive() {
  nap=
  trap 'kill "$nap" 2>/dev/null; exit 0' TERM
  answer=$dir/more
  while :; do
    sleep "$BEAT" >/dev/null 2>&1 &
    nap=$!
    wait "$nap"
    kill -0 $$ 2>/dev/null || exit 0
    call renew --header 'Content-Type: application/json' --data-binary "{\"rule\":$RULE_JSON,\"key\":$key,\"owner\":\"$owner\"}"
    case $code in
      404 | 409)
        say "The key is no longer held by this run, so another may do the same work."
        return
        ;;
    esac
  done
}

if [ $# -lt 1 ] || [ -z "${DEDUPE_TOKEN:-}" ]; then
  say "Call it with a file of the event, and with the password in DEDUPE_TOKEN."
  exit 2
fi
command -v curl >/dev/null || { say "It needs curl."; exit 2; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
answer=$dir/answer
if [ "$1" = - ]; then cat; else cat -- "$1"; fi >"$dir/event" || { say "The event could not be read."; exit 2; }
owner="sh-$(uname -n | tr -cd 'A-Za-z0-9.-')-$$-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')"

event=$dir/event headers=${2:-}
«- if .Headers»
[ -n "$headers" ] || { say "The rule reads a header: hand over a file with the headers too."; exit 2; }
«- end»
set -- --data-urlencode "rule=$RULE" --data-urlencode "owner=$owner" --data-urlencode "event@$event"
[ -z "$headers" ] || set -- "$@" --data-urlencode "headers@$headers"
insist 'claim?answer=branch' "$@"
case $(status) in
  claimed) ;;
  done | ignored) exit 0 ;;
  in_progress) exit 75 ;;
  held | mismatch)
    say "A person has to decide about this event: $(cat "$answer")"
    exit 1
    ;;
  *)
    if [ "$IF_UNREACHABLE" = go_on ] && ! grep -q '"run":false' "$answer"; then
      say "Nobody could be asked, and the rule rather has the work done twice than not at all."
      (set -e && work "$event" '' "$dir/result") <"$event"
      exit
    fi
    say "The key could not be reserved, so nothing was done. Status code $code. $(head -n 5 "$answer")"
    exit 2
    ;;
esac
key=$(sed -nE 's/.*"key":("([^"\\]|\\.)*").*/\1/p' "$answer")

keep_alive &
keeper=$!
# A signal waits for the end of the work, which has to be reported.
trap : HUP INT TERM
: >"$dir/result"
(
  set -e
  work "$event" "$key" "$dir/result"
) <"$event"
ended=$?
kill "$keeper" 2>/dev/null

if [ "$ended" -ne 0 ]; then
  report release ",\"error\":\"exit status $ended\""
  [ "$(status)" = released ] || say "The work failed, and its key could not be given back: $(cat "$answer")"
  exit "$ended"
fi
id=$(tr -d '\000-\037' <"$dir/result" | sed 's/\\/\\\\/g; s/"/\\"/g')
report done "${id:+,\"result\":\"$id\"}"
if [ "$(status)" != done ]; then
  say "The work was done, but that could not be written down, so it may be done again. Status code $code. $(cat "$answer")"
  exit 2
fi
