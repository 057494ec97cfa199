# Run it as: sh claim.sh event.json
event=${1:?Give the file that holds the event: sh claim.sh event.json}
owner=$(od -An -N8 -tx8 /dev/urandom | tr -d " ")

call() {
  curl -sS --fail-with-body "ADDRESS/v1/$1" \
    -H "Authorization: Bearer $DEDUPE_PASSWORD" \
    -H 'Content-Type: application/json' \
    --data-binary "$2"
}

# If the rule reads headers of the event, add them to this call with -H.
answer=$(call "rules/RULE/claim?owner=$owner" "@$event") || { echo "Not asked: $answer" >&2; exit 2; }
case $answer in
  *'"status":"claimed"'*)
    # You got it. Do the work here, then:
    key=$(printf '%s' "$answer" | sed -nE 's/.*("key":"([^"\\]|\\.)*").*/\1/p')
    call done "{\"rule\":\"RULE\",$key,\"owner\":\"$owner\"}"
    ;;
  *)
    echo "Not for this run: $answer"
    ;;
esac
