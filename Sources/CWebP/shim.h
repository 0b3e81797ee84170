// Animated WebP, which libav does not read.
#pragma once
#include <webp/demux.h>
