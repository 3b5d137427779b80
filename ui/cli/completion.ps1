# PowerShell completion for baton

Register-ArgumentCompleter -Native -CommandName 'baton' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Asking must run nothing that stands in the line: its words are taken from the parsed line as they
    # were written, and handed on as an array. Of the word at the cursor the part before it counts.
    # ($wordToComplete is all of it, quotes included.)
    $ErrorActionPreference = 'Continue'
    $end = 0
    [string[]]$words = @(
        foreach ($element in $commandAst.CommandElements) {
            $extent = $element.Extent
            if ($extent.StartOffset -ge $cursorPosition) { break }
            $end = $extent.EndOffset
            if ($end -gt $cursorPosition) {
                $extent.Text.Substring(0, $cursorPosition - $extent.StartOffset) -replace '[''"]', ''
            } elseif ($element.PSObject.Properties['Value'] -and $element.Value -is [string]) {
                $element.Value
            } else {
                $extent.Text
            }
        }
        if ($end -lt $cursorPosition) { '' }
    )
    if ($words.Count -lt 2) { return }
    $program, $prefix, $begun = $words[0], '', $words[-1]
    [string[]]$words = $words[1..($words.Count - 1)]
    if ($begun -match '^(--[^=]+=)(.*)$') { $prefix, $begun = $Matches[1], $Matches[2] }

    # Before 7.3, and on request after it, PowerShell loses empty words and the quotes inside of others.
    $passing = Get-Variable -Name PSNativeCommandArgumentPassing -ValueOnly -ErrorAction Ignore
    if (-not $passing -or $passing -eq 'Legacy') {
        $words = $words -replace '(\\*)"', '$1$1\"' -replace '^$', '""'
    }

    # The program writes UTF-8. Where there is no console, its encoding cannot be set.
    $encoding = [Console]::OutputEncoding
    try { [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false } catch { $encoding = $null }
    try {
        $lines = @(& $program __complete @words 2>$null)
    } catch {
        $lines = @()
    } finally {
        if ($encoding) { [Console]::OutputEncoding = $encoding }
    }

    # The last line is ":" and what to do: 1 failed, 4 no files, 8 files ending so, 16 folders, 32 in this order.
    # An empty string keeps PowerShell from offering files.
    $directive = 1
    if ($lines.Count -gt 0 -and $lines[-1] -match '^:(\d+)$') { $directive = [int]$Matches[1] }
    if ($directive -band 1) { return '' }
    $offers = @($lines | Select-Object -SkipLast 1)

    if ($directive -band 24 -or ($offers.Count -eq 0 -and -not ($directive -band 4))) {
        if (-not $prefix -and -not ($directive -band 24)) { return }
        $results = @(
            foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($begun)) {
                $extension = [IO.Path]::GetExtension($file.ListItemText) -replace '^\.', ''
                if ($directive -band 24 -and $file.ResultType -ne 'ProviderContainer' -and
                    ($directive -band 16 -or $offers -notcontains $extension)) { continue }
                [System.Management.Automation.CompletionResult]::new(
                    $prefix + $file.CompletionText, $file.ListItemText, $file.ResultType, $file.ToolTip)
            }
        )
    } else {
        $results = @(
            foreach ($offer in $offers) {
                $word, $about = $offer -split '\t', 2
                if (-not $word.StartsWith($begun, [StringComparison]::Ordinal)) { continue }
                $text = $word
                # PowerShell takes the curly quotes for quotes too.
                if ($word -notmatch '^[\w./:=+-]+$') { $text = "'" + ($word -replace "['\u2018-\u201b]", '$0$0') + "'" }
                if (-not $about) { $about = $word }
                [System.Management.Automation.CompletionResult]::new($prefix + $text, $word, 'ParameterValue', $about)
            }
        )
        if (-not ($directive -band 32)) { $results = @($results | Sort-Object -Property ListItemText) }
    }
    if ($results.Count -eq 0) { return '' }
    $results
}
