#compdef cie-read
# Completions of cie-read for zsh: the program says what may follow.
local offer help
local -a answer offers
answer=("${(@f)$(cie-read ---completion "${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
[[ $words[CURRENT] != --*=* ]] || compset -P '*='
case $answer[1] in
file) _files ${answer[2]:+-g "*.$answer[2]"} ;;
folder) _files -/ ;;
words)
  for offer help in "${(@)answer[2,-1]}"; do offers+=("${offer//:/\\:}:$help"); done
  _describe cie-read offers
  ;;
esac
