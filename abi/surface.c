/* All that the plugin headers declare, reachable from exported functions: what abidiff compares
 * with the stored baseline (abi/check). Never run. */
#include <pawl/common.h>
#include <pawl/provider.h>
#include <pawl/stage.h>

const struct pawl_provider *pawl_provider_entry_v1(void)
{
    return 0;
}

const struct pawl_stage *pawl_stage_entry_v1(void)
{
    return 0;
}
