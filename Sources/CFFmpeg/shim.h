#pragma once
#include <libavutil/avutil.h>
