# Checks whether the module obeys the environment of a host: file-capabilities.sh MODULE FOLDER
# One host without and with a capability that its user lacks; for each, reports whether the log named by CIE_PKCS11_LOG
# was written. It runs as an ordinary user, because root's programs lack no rights.
set -euo pipefail
chmod 777 "$2"
install -m 755 "$1" "$2/module.so"
plain=$2/plain capable=$2/capable
install -m 755 "$(readlink -f /usr/bin/python3)" "$plain"
install -m 755 "$plain" "$capable"
PATH=$PATH:/usr/sbin:/sbin setcap cap_net_raw+ep "$capable"
# C_GetFunctionList gives a version and then functions, the first of which is C_Initialize.
host='
import ctypes, sys
functions = ctypes.c_void_p()
assert ctypes.CDLL(sys.argv[1]).C_GetFunctionList(ctypes.byref(functions)) == 0
initialize = ctypes.cast(functions.value + 8, ctypes.POINTER(ctypes.c_void_p))[0]
assert ctypes.CFUNCTYPE(ctypes.c_ulong, ctypes.c_void_p)(initialize)(None) == 0
'
for program in plain capable; do
  CIE_PKCS11_LOG=$2/log-$program setpriv --reuid=65534 --regid=65534 --clear-groups "$2/$program" -c "$host" "$2/module.so"
  if [[ -e $2/log-$program ]]; then echo "$program log"; else echo "$program none"; fi
done
