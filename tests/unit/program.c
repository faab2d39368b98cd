/* Runs every suite for providers/program. */
#include "program.h"

#include <CUnit/Basic.h>
#include <stdlib.h>

int main(void)
{
    unsigned failures;
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
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
