/* Runs every suite for providers/program. */
#include "program.h"

#include "tests/unit/test.h"

#include <stdlib.h>

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return EXIT_FAILURE;
    program_token_suite();
    program_prepare_suite();
    program_await_suite();
    program_brackets_suite();
    program_es5_suite();
    program_number_suite();
    program_modules_suite();
    program_typescript_suite();
    program_json_text_suite();
    program_suggest_suite();
    program_memory_suite();
    program_path_suite();
    return test_run();
}
