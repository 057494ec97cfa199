# Completion of dedupe for bash 4.4 or later. Load it in ~/.bashrc:
#   source <(dedupe completion bash)
_dedupe() {
  local line word hint= program=${COMP_WORDS[0]/#\~/$HOME} current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) hint=$line ;;
      *) printf -v word %q "${line%%$'\t'*}"
         COMPREPLY+=("$word") ;;
    esac
  done < <("$program" __complete bash "$COMP_POINT" "$COMP_LINE" 2>/dev/null)
  case $hint in
    :file) compopt -o default ;; # where nothing above fits
    :dir) compopt -o dirnames ;;
    :command) mapfile -t COMPREPLY < <(compgen -c -- "$current") ;;
    :nospace) compopt -o nospace ;;
  esac
}
complete -F _dedupe dedupe
