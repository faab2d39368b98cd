/* The suites for providers/program; each is defined in the file of its name. */
#ifndef TESTS_UNIT_PROGRAM_H
#define TESTS_UNIT_PROGRAM_H

#include <CUnit/CUnit.h>

void program_suggest_suite(void);
void program_token_suite(void);
void program_typescript_suite(void);
void program_prepare_suite(void);
void program_await_suite(void);
void program_brackets_suite(void);
void program_es5_suite(void);
void program_json_text_suite(void);
void program_memory_suite(void);
void program_modules_suite(void);
void program_number_suite(void);
void program_path_suite(void);

#endif
