event='{"rule":"RULE","key":"test:hello","owner":"'"$(date +%s)-$$"'"}'

call() {
  curl -sS "ADDRESS/v1/$1" \
    -H "Authorization: Bearer $DEDUPE_PASSWORD" \
    -H 'Content-Type: application/json' \
    -d "$event"
}

answer=$(call claim)
case $answer in
  *'"status":"claimed"'*)
    # You got it. Do the work here, then:
    call done
    ;;
  *)
    echo "Not for this run: $answer"
    ;;
esac
