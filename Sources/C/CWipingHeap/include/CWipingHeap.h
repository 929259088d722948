#ifndef CWIPINGHEAP_H
#define CWIPINGHEAP_H

// From here on every block of the heap is overwritten with zeros when it is freed, whichever library frees it. To be called
// before there are other threads.
void cie_wipe_freed_memory(void);

// Overwrites the part of this thread's stack that functions which have returned may have used.
void cie_wipe_stack(void);

#endif
