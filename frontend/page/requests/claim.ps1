$headers = @{ Authorization = "Bearer $env:DEDUPE_PASSWORD" }
$body = @{ rule = 'RULE'; key = 'test:hello'; owner = [guid]::NewGuid().ToString() } | ConvertTo-Json

$answer = Invoke-RestMethod -Method Post -Uri 'ADDRESS/v1/claim' `
  -Headers $headers -ContentType 'application/json' -Body $body

if ($answer.status -eq 'claimed') {
  # You got it. Do the work here, then:
  Invoke-RestMethod -Method Post -Uri 'ADDRESS/v1/done' `
    -Headers $headers -ContentType 'application/json' -Body $body
} else {
  Write-Output "Copy stopped: $($answer.reason)"
}
