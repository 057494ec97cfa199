# Run it as: .\claim.ps1 event.json
param([Parameter(Mandatory)][string]$File)

# If the rule reads headers of the event, add them here.
$headers = @{ Authorization = "Bearer $env:DEDUPE_PASSWORD" }
$owner = [guid]::NewGuid().ToString()

$answer = Invoke-RestMethod -Method Post -Uri "ADDRESS/v1/rules/RULE/claim?owner=$owner" `
  -Headers $headers -ContentType 'application/json; charset=utf-8' -InFile $File

# A rule that splits its events answers once for each of them.
foreach ($one in $(if ($answer.results) { $answer.results } else { $answer })) {
  if ($one.status -eq 'claimed') {
    # You got it. Do the work here, then:
    $body = @{ rule = 'RULE'; key = $one.key; owner = $owner } | ConvertTo-Json
    Invoke-RestMethod -Method Post -Uri 'ADDRESS/v1/done' `
      -Headers $headers -ContentType 'application/json; charset=utf-8' -Body $body
  } else {
    Write-Output "Not for this run: $($one.reason)"
  }
}
