#!/bin/bash
# The script of ContractTests inside tools/with-pcscd: places a card, runs a command, and ends with its status.
# $1: a persona, "empty" for no card, "busy" for a card that another program holds; $2: cie-lab; then the command.
set -u
card=$1 lab=$2
shift 2
cd "$(dirname "$0")/../../Peers" || exit

# Starts a program, and waits for its line of readiness.
start() { # WORD PROGRAM [ARGUMENT...]
  local word=$1
  : > "/run/pcscd/$word"
  "${@:2}" > "/run/pcscd/$word" &
  # Keeps the shell from reporting its end.
  disown
  started+=($!)
  until grep -q "$word" "/run/pcscd/$word"; do sleep 0.05; done
}

started=()
persona=${card/busy/gemalto}
[[ $card == empty ]] || start inserted "$lab" virtual-reader --persona "$persona"
[[ $card == busy ]] && start held python3 -c '
import pcsc, time
pcsc.SHARED = 1  # SCARD_SHARE_EXCLUSIVE
for _ in range(200):
    try:
        card = pcsc.CardInReader()
        print("held", flush=True)
        time.sleep(60)
    except pcsc.ReaderFailure:
        time.sleep(0.05)'
"$@"
status=$?
((${#started[@]} == 0)) || kill -KILL "${started[@]}"
exit $status
