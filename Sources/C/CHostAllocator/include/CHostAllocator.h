// Nothing to call: the linker puts these functions in place of malloc and malloc_usable_size.
#ifndef CHOSTALLOCATOR_H
#define CHOSTALLOCATOR_H
#endif
