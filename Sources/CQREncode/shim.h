// libqrencode's header under one name for Swift. No logic of ours lives in C.
#pragma once

#include <qrencode.h>
