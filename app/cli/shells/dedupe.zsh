#compdef dedupe
# Completion of dedupe for zsh. Load it in ~/.zshrc, after compinit:
#   source <(dedupe completion zsh)
# or write it to a file named _dedupe in a folder of $fpath.
_dedupe() {
  local line hint value program=${${(Q)words[1]}/#\~/$HOME}
  local -a found space
  for line in "${(@f)$("$program" __complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    case $line in
      :*) hint=$line ;;
      ?*) value=${line%%$'\t'*}
          found+=("${value//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  [[ $hint == :nospace ]] && space=(-S '')
  if (( $#found )); then
    _describe -t values dedupe found "${space[@]}"
    return
  fi
  [[ $PREFIX == -*=* ]] && compset -P '*='
  case $hint in
    :file) _files ;;
    :dir) _files -/ ;;
    :command) _command_names -e ;;
  esac
}
if [[ $funcstack[1] == _dedupe ]]; then
  _dedupe "$@"
else
  compdef _dedupe dedupe
fi
