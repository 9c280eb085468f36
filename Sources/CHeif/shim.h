// libheif's header, 1.15 or newer, under one name for Swift. No logic of ours lives in C.
#pragma once

#include <libheif/heif.h>
