#!/bin/bash
# The script of RealReaderTests+PIN inside tools/with-pcscd: a signal comes while the command that sets a PIN is with
# the card. Each line it prints is a name and the terminal's output, as JSON. $1: the folder of the built programs, $2:
# a folder for files, $3: the script that plays the person.
set -u
read=$1/cie-read lab=$1/cie-lab files=$2 person=$3
printf %s 16180339 > "$files/pin"
printf %s 14142135 > "$files/puk"
printf %s 86420864 > "$files/new"
"$lab" anchors "$files/anchors"
chmod 600 "$files/pin" "$files/puk" "$files/new"

# NAME INSTRUCTION SHOWN SIGNALS ARGUMENT...: the card takes much longer over the instruction than any wait.
session() {
  local name=$1 instruction=$2 shown=$3 signals=$4
  shift 4
  "$lab" virtual-reader --persona nxp --fault "delay=60000@$instruction:1" > "$files/inserted" &
  local card=$!
  until grep -q inserted "$files/inserted"; do sleep 0.05; done
  # The step is shown just before its command is sent; the pause lets it begin.
  # shellcheck disable=SC2086
  echo "$name $(python3 "$person" "expect=$shown" pause=400 $signals -- "$read" pin "$@" \
    --new-pin-file "$files/new" --trust "$files/anchors" --reader 0 --wait 10)"
  kill -KILL $card
  wait $card 2> /dev/null
  until "$read" readers | grep -q "^0 .*(no card)"; do sleep 0.1; done
}

session change 24 "Changing the PIN" "signal=INT" change --pin-file "$files/pin"
session change-twice 24 "Changing the PIN" "signal=TERM pause=100 signal=TERM" change --pin-file "$files/pin"
session unblock 2C "Setting the new PIN" "signal=INT" unblock --puk-file "$files/puk"
session unblock-twice 2C "Setting the new PIN" "signal=TERM pause=100 signal=TERM" unblock --puk-file "$files/puk"
