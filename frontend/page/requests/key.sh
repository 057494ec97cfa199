# Run it as: sh claim.sh YOUR-EVENT-KEY
key=${1:?Give the event key as the first word: sh claim.sh stripe:evt_1}
owner=$(od -An -N8 -tx8 /dev/urandom | tr -d " ")

call() {
  curl -sS --fail-with-body "ADDRESS/v1/$1" \
    -H "Authorization: Bearer $DEDUPE_PASSWORD" \
    --data-urlencode 'rule=RULE' \
    --data-urlencode "key=$key" \
    --data-urlencode "owner=$owner"
}

answer=$(call claim) || { echo "Not asked: $answer" >&2; exit 2; }
case $answer in
  *'"status":"claimed"'*)
    # You got it. Do the work here, then:
    call done
    ;;
  *)
    echo "Not for this run: $answer"
    ;;
esac
