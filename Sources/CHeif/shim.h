// HEIC pictures, which libav does not read.
#pragma once
#include <libheif/heif.h>
