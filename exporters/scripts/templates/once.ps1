# Does the work of an event once, however often the event comes. It asks Dedupe Desk
# before the work and reports after it. For Windows PowerShell 5.1 and PowerShell 7.
#
#   $env:DEDUPE_TOKEN = '...'; .\THIS-FILE EVENT.json [HEADERS.json]
#
# EVENT.json is the event as the sender sent it, and HEADERS.json an object with its
# headers, if the rule reads one. The password comes from DEDUPE_TOKEN and never stands
# in this file.
#
# Exit code: 0 the work was done, or this was a copy. 1 the work failed and its key was
# given back, or a person has to decide (see Keys). 2 the key could not be asked for or
# reported. 75 another run is at it: try again later, in case that one fails.
param([Parameter(Mandatory = $true)][string]$EventFile, [string]$HeadersFile = '')
$ErrorActionPreference = 'Stop'

$Rule = «ps .Rule»
$Address = «ps .Address»
$Beat = «.Beat» # seconds between two requests for more time
$GoOn = $«.GoOn» # work without asking where nobody answers

# Your work. It runs in a job of its own, so it sees nothing of this file but what it is
# given. Its last output is the id of what was made; throw to fail.
$Work = {
  param($Event, $Key)
  throw 'Put your work into the block Work of this file.'
}

$Owner = 'ps-{0}-{1}-{2}' -f [Environment]::MachineName, $PID, [Guid]::NewGuid().ToString('N')

function Say([string]$Text) { [Console]::Error.WriteLine($Text) }

# Call returns the status code and the answer; the code is 0 where nobody answered, or
# something else than Dedupe Desk did.
function Call([string]$Path, [hashtable]$Members) {
  $Members.rule = $Rule
  $Members.owner = $Owner
  $body = [Text.Encoding]::UTF8.GetBytes((ConvertTo-Json -InputObject $Members -Depth 5 -Compress))
  $code = 0
  $answer = $null
  try {
    $answer = Invoke-RestMethod -Method Post -Uri "$Address/v1/$Path" -Headers @{ 'X-Api-Key' = $env:DEDUPE_TOKEN } -ContentType 'application/json; charset=utf-8' -Body $body -TimeoutSec 20 -MaximumRedirection 0
    $code = 200
  } catch {
    if ($_.Exception.Response) { $code = [int]$_.Exception.Response.StatusCode }
    if ($_.ErrorDetails -and $_.ErrorDetails.Message) { try { $answer = ConvertFrom-Json $_.ErrorDetails.Message } catch { $answer = $null } }
  }
  $ours = $answer -is [pscustomobject] -and ($answer.PSObject.Properties.Name -contains 'status' -or $answer.PSObject.Properties.Name -contains 'run')
  if (-not $ours) { return @{ Code = 0; Answer = $null } }
  return @{ Code = $code; Answer = $answer }
}

# Insist calls again, under the same owner, while nobody could answer.
function Insist([string]$Path, [hashtable]$Members) {
  foreach ($pause in 1, 3, 6, 0) {
    $told = Call $Path $Members
    if ($told.Code -ne 0 -and $told.Code -ne 429 -and $told.Code -lt 500) { return $told }
    Start-Sleep -Seconds $pause
  }
  return $told
}

if (-not $env:DEDUPE_TOKEN) { Say 'The password is missing: set DEDUPE_TOKEN.'; exit 2 }
try {
  $text = [IO.File]::ReadAllText((Resolve-Path -LiteralPath $EventFile), (New-Object Text.UTF8Encoding $false, $true))
  $members = @{ event = $text }
«- if .Headers»
  if (-not $HeadersFile) { Say 'The rule reads a header: hand over a file with the headers too.'; exit 2 }
«- end»
  if ($HeadersFile) { $members.headers = [IO.File]::ReadAllText((Resolve-Path -LiteralPath $HeadersFile), (New-Object Text.UTF8Encoding $false, $true)) }
} catch { Say "The event could not be read: $_"; exit 2 }

$claim = Insist 'claim?answer=branch' $members
$key = $null
if ($claim.Code -eq 0 -and $GoOn) {
  Say 'Nobody could be asked, and the rule rather has the work done twice than not at all.'
} elseif ($claim.Code -ne 200) {
  Say "The key could not be reserved, so nothing was done. Status code $($claim.Code). $($claim.Answer.detail)"
  exit 2
} else {
  switch -CaseSensitive ($claim.Answer.status) {
    'claimed' { $key = $claim.Answer.key }
    'done' { exit 0 }
    'in_progress' { exit 75 }
    'ignored' { exit 0 }
    'held' { Say "A person has to decide about this event: $($claim.Answer.reason)"; exit 1 }
    'mismatch' { Say "A person has to decide about this event: $($claim.Answer.reason)"; exit 1 }
    default { Say "The key could not be reserved, so nothing was done: $($claim.Answer.status)"; exit 2 }
  }
}

$job = Start-Job -ScriptBlock $Work -ArgumentList $text, $key
while (-not (Wait-Job -Job $job -Timeout $Beat)) {
  if (-not $key) { continue }
  $more = Call 'renew' @{ key = $key }
  if ($more.Code -eq 404 -or $more.Code -eq 409) { Say 'The key is no longer held by this run, so another may do the same work.' }
}
$failure = $null
$result = $null
try { $result = Receive-Job -Job $job -ErrorAction Stop | Select-Object -Last 1 } catch { $failure = "$_" }
if ($job.State -eq 'Failed' -and -not $failure) { $failure = "$($job.ChildJobs[0].JobStateInfo.Reason)" }
Remove-Job -Job $job -Force
if (-not $key) {
  if ($failure) { Say $failure; exit 1 }
  exit 0
}
if ($failure) {
  $back = Insist 'release' @{ key = $key; error = $failure }
  if ($back.Code -ne 200) { Say 'The work failed, and its key could not be given back.' }
  Say $failure
  exit 1
}
$end = @{ key = $key }
if ($null -ne $result) { $end.result = "$result" }
$told = Insist 'done' $end
if ($told.Code -ne 200) {
  Say "The work was done, but that could not be written down, so it may be done again. Status code $($told.Code). $($told.Answer.detail)"
  exit 2
}
