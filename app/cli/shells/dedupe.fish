# Completion of dedupe for fish. Load it in ~/.config/fish/config.fish:
#   dedupe completion fish | source
function __dedupe_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -l offered 0
    for line in ($program __complete fish $words[2..-1] -- $current 2>/dev/null)
        switch $line
            case :file :dir
                test $offered = 0; or continue
                # Behind --flag= fish wants the flag again before each path.
                set -l flag (string match -r '^--[^=]*=' -- $current)
                set -l path (string replace -r '^--[^=]*=' '' -- $current)
                set -l find __fish_complete_path
                test $line = :dir; and set find __fish_complete_directories
                for found in ($find $path)
                    echo "$flag$found"
                end
            case :command
                complete -C "$current"
            case ':*'
            case '*'
                set offered 1
                echo $line
        end
    end
end
complete -c dedupe -f -a '(__dedupe_complete)'
