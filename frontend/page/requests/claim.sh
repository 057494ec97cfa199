owner="$(date +%s)-$$"  # one for each run

curl -sS 'ADDRESS/v1/claim' \
  -H "Authorization: Bearer $DEDUPE_PASSWORD" \
  -H 'Content-Type: application/json' \
  -d '{"rule":"RULE","key":"test:hello","owner":"'"$owner"'"}'

# "status":"claimed" means you got it. Do the work, then:

curl -sS 'ADDRESS/v1/done' \
  -H "Authorization: Bearer $DEDUPE_PASSWORD" \
  -H 'Content-Type: application/json' \
  -d '{"rule":"RULE","key":"test:hello","owner":"'"$owner"'"}'
