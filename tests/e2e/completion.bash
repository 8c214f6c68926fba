# Completes command lines as bash would, with the script that `halyard completion bash` wrote: completion.bash SCRIPT
source "$1" || exit 1
complete -p halyard | grep -q -- '-F _halyard' || { echo "nothing completes halyard"; exit 1; }

failed=0
completes() {  # EXPECTED WORD...
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _halyard
  [[ "${COMPREPLY[*]}" == "$expected" ]] && return
  echo "$*: \"${COMPREPLY[*]}\", expected \"$expected\""
  failed=1
}

touch 'my model.gguf'
completes "bench" halyard be
completes "--version" halyard --v
completes "--backend" halyard run --back
completes "--think" halyard run -p x --thi
completes "cuda cpu" halyard run --backend c
completes "cuda cpu" halyard run --backend = c
completes "on off" halyard bench --cache-rounding =
completes "my model.gguf" halyard run -m my
completes "my model.gguf" halyard inspect my
completes "--json" halyard inspect --js
completes "strix-halo-96 strix-halo-96-old strix-halo-96-linux" halyard plan --simulate strix-halo-96
completes "flash-q2 flash-q2q4" halyard plan --model flash-q2
completes "my model.gguf" halyard plan -m my
completes "auto" halyard run --ctx a
completes "bash" halyard completion b
completes "--ctx-start --ctx-max --ctx" halyard bench --ctx
completes "" halyard run --threads ""
completes "" halyard walk --
exit $failed
