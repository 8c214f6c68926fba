# Completes command lines as zsh does at a terminal, with the script that `halyard completion zsh` wrote, which lies in
# this folder as _halyard: zsh -f completion.zsh. It starts a second zsh, which reads this file too, on a terminal.
if [[ -o interactive ]]; then
  PROMPT= RPROMPT= HISTFILE=
  fpath=($PWD $fpath)
  autoload -Uz compinit && compinit -u -D

  # What the completion adds, instead of what would appear on the screen. Calls with -O, -A or -D add nothing.
  compadd() {
    if (( ! ${@[1,(i)(-|--)][(I)-[OAD]]} )); then
      local -a words_added
      builtin compadd -O words_added "$@"
      added+=("${words_added[@]}")
    fi
    builtin compadd "$@"
  }
  complete_and_tell() {
    typeset -ga added=()
    _main_complete
    compstate[insert]= compstate[list]=
    print -r -- "[${(j:,:)${(@ou)added}}]" > answer
    print -r -- END-OF-ANSWER
  }
  zle -C complete_and_tell complete-word complete_and_tell
  bindkey '^I' complete_and_tell
  bindkey '^U' kill-whole-line
  print -r -- END-OF-ANSWER
  return
fi

zmodload zsh/zpty || exit 1
export TERM=dumb
zpty shell "zsh -f -i"
zpty -w shell "source ${(q)${0:A}}"
failed=0

# Throws away what the other shell printed up to the mark. It echoes the line that is typed, which has no such word.
await() {
  local text
  zpty -r shell text '*END-OF-ANSWER*' || { print "the shell ended: $text"; exit 1; }
}
completes() {  # EXPECTED LINE
  zpty -w -n shell $'\x15'"$2"$'\t'
  await
  local answer=$(<answer)
  [[ $answer == "[$1]" ]] && return
  print -r -- "$2: $answer, expected [$1]"
  failed=1
}

touch 'my model.gguf'
await
completes "bench" "halyard be"
completes "--version" "halyard --v"
completes "--backend" "halyard run --back"
completes "--think" "halyard run -p x --thi"
completes "cpu,cuda" "halyard run --backend c"
completes "cpu,cuda" "halyard run --backend=c"
completes "off,on" "halyard bench --cache-rounding="
completes 'my\ model.gguf' "halyard run -m my"
completes 'my\ model.gguf' "halyard inspect my"
completes "--json" "halyard inspect --js"
completes "bash" "halyard completion b"
completes "--ctx,--ctx-max,--ctx-start" "halyard bench --ctx"
completes "" "halyard run --threads "
completes "" "halyard run --think on --thi"  # said once already
completes "" "halyard walk --"
zpty -d shell
exit $failed
