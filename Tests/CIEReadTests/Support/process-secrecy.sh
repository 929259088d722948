# Looks at a running cie-read as its own user would, who is not root: process-secrecy.sh PROGRAM FOLDER
# Prints: locked memory in kB, the limit of core dumps, whether its environment can be read.
set -uo pipefail
cp "$1" "$2/cie-read"
chmod 755 "$2" "$2/cie-read"
user=()
if ((EUID == 0)); then user=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
mkfifo "$2/input"
"${user[@]}" "$2/cie-read" pin verify --virtual < "$2/input" > /dev/null 2>&1 &
exec 3> "$2/input"
until grep -q '^VmLck:.* [1-9]' "/proc/$!/status" 2> /dev/null; do
  kill -0 $! || exit 1
  sleep 0.05
done
sed -n 's/^VmLck:[[:space:]]*/locked /p' "/proc/$!/status"
sed -n 's/^Max core file size *\([^ ]*\) *\([^ ]*\).*/core \1 \2/p' "/proc/$!/limits"
if "${user[@]}" cat "/proc/$!/environ" > /dev/null 2>&1; then echo environment readable; else echo environment private; fi
kill -KILL $!
