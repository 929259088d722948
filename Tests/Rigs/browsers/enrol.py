"""Enrols the card with the official module, by the function that its window calls: enrol.py MODULE PIN."""
import ctypes
import sys

# int progress, char *text; and the number, name and serial number of what is enrolled.
Progress = ctypes.CFUNCTYPE(ctypes.c_ulong, ctypes.c_int, ctypes.c_char_p)
Completed = ctypes.CFUNCTYPE(ctypes.c_ulong, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)

function = ctypes.CDLL(sys.argv[1]).AbilitaCIE
function.restype = ctypes.c_ulong
status = function(
    None, sys.argv[2].encode(), ctypes.byref(ctypes.c_int()), Progress(lambda *_: 0), Completed(lambda *_: 0))
sys.exit(f"AbilitaCIE: {status:#x}" if status else 0)
