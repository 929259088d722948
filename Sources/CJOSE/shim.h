#pragma once
#include <cjose/cjose.h>
#include <jansson.h>
