# Completions of cie-read for bash: the program says what may follow.
_cie_read() {
  local -a words=() offers=()
  local word i kind=
  # A word of bash ends at "=".
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    word=${word//[\\\"\']/}
    if ((${#words[@]})) && [[ $word == = || ${words[-1]} == --*= ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  {
    read -r kind
    mapfile -t offers
  } < <(cie-read ---completion "${words[@]}" 2> /dev/null)
  word=${words[-1]#--*=}
  COMPREPLY=()
  case $kind in
  file)
    compopt -o filenames
    mapfile -t COMPREPLY < <({
      compgen -d -- "$word"
      compgen -f -X "!*${offers[0]:+.${offers[0]}}" -- "$word"
    } | sort -u)
    ;;
  folder)
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
    ;;
  words) for ((i = 0; i < ${#offers[@]}; i += 2)); do COMPREPLY+=("$(printf %q "${offers[i]}")"); done ;;
  esac
}
complete -F _cie_read cie-read
