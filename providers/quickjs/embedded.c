/* The template that `prepare` wrote, as it is, at the beginning of a page. */
#include "prepared.h"

__asm__(".pushsection .rodata.prepared,\"a\",%progbits\n"
        ".balign 4096\n"
        ".globl prepared_start\n"
        ".hidden prepared_start\n"
        "prepared_start:\n"
        ".incbin \"providers/quickjs/prepared.bin\"\n"
        ".globl prepared_end\n"
        ".hidden prepared_end\n"
        "prepared_end:\n"
        ".byte 0\n"
        ".popsection\n");
