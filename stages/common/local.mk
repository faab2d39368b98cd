# What the stages share: explaining, reading a configuration, patterns. Each is compiled into the
# plugins that use it, as a vendor would.
stage_common = \
	stages/common/fields.c stages/common/fields.h \
	stages/common/glob.c stages/common/glob.h \
	stages/common/patterns.c stages/common/patterns.h \
	stages/common/say.c stages/common/say.h
