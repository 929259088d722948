#!/bin/bash
# The script of RealReaderTests inside tools/with-pcscd: each line it prints is a name and an exit status, or the
# first line of an output. $1: the folder of the built programs, $2: a folder for files.
set -u
# With job control, background processes do not ignore SIGINT.
set -m
read=$1/cie-read lab=$1/cie-lab files=$2

run() { # NAME ARGUMENT...
  local name=$1
  shift
  "$read" "$@" > "$files/$name.out" 2> "$files/$name.err"
  echo "$name $?"
}

run empty nis
run absent nis --reader "No Such Reader"
run number nis --reader 7
run ambiguous nis --reader virtual
run readers readers

# A signal while the program waits for a card.
for name in INT TERM; do
  "$read" nis --wait 60 --json > "$files/wait-$name.out" 2> "$files/wait-$name.err" &
  sleep 0.7
  kill -s "$name" $!
  wait $!
  echo "wait-$name $?"
done

# A second signal also ends a command that the card does not answer.
"$lab" virtual-reader --persona nxp --fault delay=20000@3 > "$files/slow" &
slow=$!
"$read" nis --wait 60 > "$files/twice.out" 2> "$files/twice.err" &
until grep -q inserted "$files/slow"; do sleep 0.05; done
sleep 1
kill $!
sleep 0.3
kill $!
wait $!
echo "twice $?"
kill -KILL $slow
wait $slow 2> /dev/null
until "$read" readers | grep -q "^0 .*(no card)"; do sleep 0.1; done

# So does one signal, soon; the signal is reported, not a mute card.
for name in INT TERM; do
  "$lab" virtual-reader --persona nxp --fault delay=20000@3 > "$files/slow" &
  slow=$!
  "$read" nis --wait 60 --json > "$files/once-$name.out" 2> "$files/once-$name.err" &
  until grep -q inserted "$files/slow"; do sleep 0.05; done
  sleep 1
  kill -s "$name" $!
  wait $!
  echo "once-$name $?"
  kill -KILL $slow
  wait $slow 2> /dev/null
  until "$read" readers | grep -q "^0 .*(no card)"; do sleep 0.1; done
done

# The list of the readers waits for a card, too; of two matching readers, the one with a card is selected.
"$read" readers --wait 60 > "$files/listed.out" 2> "$files/listed.err" &
listed=$!
sleep 0.3
"$lab" virtual-reader --persona st --port 35964 > "$files/other" &
other=$!
wait $listed
echo "listed $?"
run part nis --reader virtual --wait 60
kill $other
wait $other 2> /dev/null
until "$read" readers | grep -q "^1 .*(no card)"; do sleep 0.1; done

# The card comes while the program waits.
printf %s 16180339 > "$files/pin"
"$lab" anchors "$files/anchors"
chmod 600 "$files/pin"
"$read" nis --wait 60 > "$files/late.out" 2> "$files/late.err" &
late=$!
sleep 0.3
"$lab" virtual-reader --persona nxp > "$files/inserted" &
card=$!
wait $late
echo "late $?"
run pin pin verify --reader 0 --pin-file "$files/pin" --trust "$files/anchors"
run unknown pin verify --reader 0 --pin-file "$files/pin"
run sign sign --reader "Virtual PCD 00 00" --in "$files/inserted" --pin-file "$files/pin" --json --trust "$files/anchors"
kill $card
wait $card 2> /dev/null

# A card that is exchanged before its first command: the present one is used.
until "$read" readers | grep -q "^0 .*(no card)"; do sleep 0.1; done
"$lab" virtual-reader --persona nxp --fault card-removed@1 > "$files/first" &
card=$!
until grep -q inserted "$files/first"; do sleep 0.05; done
"$read" nis --wait 60 > "$files/exchanged.out" 2> "$files/exchanged.err" &
exchanged=$!
wait $card 2> /dev/null
"$lab" virtual-reader --persona st > "$files/second" &
card=$!
wait $exchanged
echo "exchanged $?"
kill $card
wait $card 2> /dev/null

# A forger's chip that hides its security object, or ends the channel when it is read; the count of its PINs and PUKs.
for fault in hidden-file=1006 hidden-file=1006:bare-6A82 hidden-file=1006:bare-9000 hidden-file=1004; do
  until "$read" readers | grep -q "^0 .*(no card)"; do sleep 0.1; done
  "$lab" virtual-reader --persona nxp --fault "$fault" --diary "$files/$fault.diary" > "$files/forged" &
  card=$!
  # Not until it says that it is inserted: pcscd notices later.
  until "$read" readers | grep "^0 " | grep -qv "(no card)"; do sleep 0.05; done
  run "$fault" pin verify --reader 0 --pin-file "$files/pin" --trust "$files/anchors"
  kill $card
  wait $card 2> /dev/null
  echo "$fault-codes $(grep -c "^20 " "$files/$fault.diary")"
done

# The travel document: long commands, and many of them.
until "$read" readers | grep -q "^0 .*(no card)"; do sleep 0.1; done
"$lab" virtual-reader --persona itj4 > "$files/document" &
card=$!
"$read" read --wait 60 --can 360555 --photo "$files/face.png" --json > "$files/read.out" 2> "$files/read.err"
echo "read $?"
kill $card
wait $card 2> /dev/null
exit 0
