// libheif's header, 1.15 or newer, under one name for Swift. No logic of ours lives in C.
#pragma once

#include <libheif/heif.h>

// Since libheif 1.23 a macro, which Swift does not import.
static const enum heif_chroma livephoto_chroma_monochrome __attribute__((swift_name("HeifChromaMonochrome"))) =
    heif_chroma_monochrome;
