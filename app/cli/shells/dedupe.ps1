# Completion of dedupe for Windows PowerShell 5.1 and PowerShell 7. Load it in $PROFILE:
#   dedupe completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName 'dedupe', 'dedupe.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # Each word goes with a mark before it, for an empty one would be dropped.
    $words = @()
    foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $words += '=' + $element.Value
        }
        else {
            $words += '=' + $element.Extent.Text
        }
    }
    $words += '=' + $wordToComplete
    & $commandAst.CommandElements[0].Extent.Text __complete powershell @words 2>$null | ForEach-Object {
        $value, $about = $_ -split "`t", 2
        if (-not $value.StartsWith(':')) {
            if (-not $about) { $about = $value }
            $typed = if ($value -match '\s') { "'" + $value.Replace("'", "''") + "'" } else { $value }
            [System.Management.Automation.CompletionResult]::new($typed, $value, 'ParameterValue', $about)
        }
    }
}
