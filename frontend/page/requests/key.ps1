# Run it as: .\claim.ps1 YOUR-EVENT-KEY
param([Parameter(Mandatory)][string]$Key)

$headers = @{ Authorization = "Bearer $env:DEDUPE_PASSWORD" }
$body = @{ rule = 'RULE'; key = $Key; owner = [guid]::NewGuid().ToString() } | ConvertTo-Json

$answer = Invoke-RestMethod -Method Post -Uri 'ADDRESS/v1/claim' `
  -Headers $headers -ContentType 'application/json; charset=utf-8' -Body $body

if ($answer.status -eq 'claimed') {
  # You got it. Do the work here, then:
  Invoke-RestMethod -Method Post -Uri 'ADDRESS/v1/done' `
    -Headers $headers -ContentType 'application/json; charset=utf-8' -Body $body
} else {
  Write-Output "Not for this run: $($answer.reason)"
}
