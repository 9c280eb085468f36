// libyaml's header under one name for Swift.
#pragma once

#include <yaml.h>
