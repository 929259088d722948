# Completions of cie-read for fish: the program says what may follow.
function __cie_read_offers
    set -l typed (commandline --current-token)
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l answer (cie-read ---completion $words[2..] "$typed" 2> /dev/null)
    # A value behind "=" is offered with what stands before it.
    set -l name (string match --regex -- '^--[^=]*=' "$typed")
    set -l value (string replace --regex -- '^--[^=]*=' '' "$typed")
    set -l offers
    switch "$answer[1]"
        case file
            set offers (__fish_complete_path "$value")
        case folder
            set offers (__fish_complete_directories "$value")
        case words
            # A word and its help.
            set --query answer[2]; and set offers (printf '%s\t%s\n' $answer[2..])
    end
    for offer in $offers
        printf '%s\n' "$name$offer"
    end
end
complete --command cie-read --no-files --arguments '(__cie_read_offers)'
