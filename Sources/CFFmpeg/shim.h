// What Swift cannot import from libav's headers: macros with casts, compound literals and variadics, each with its why.
#pragma once

// Safe to hold, and so are their plain fields. What their pointers lead to stays unsafe, and so does every call that
// takes one of them by address. Before libav's headers, since the attribute goes to the first declaration.
#define SR_SAFE struct __attribute__((swift_attr("safe")))
SR_SAFE AVChannelLayout;
SR_SAFE AVCodecContext;
SR_SAFE AVCodecParameters;
SR_SAFE AVFrame;
SR_SAFE AVFrameSideData;
SR_SAFE AVPacket;
SR_SAFE AVPixFmtDescriptor;
SR_SAFE AVStream;

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/adler32.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <string.h>

// Casts in macros.
static const int64_t SR_NOPTS = AV_NOPTS_VALUE;
static const int SR_FRAME_CORRUPT = AV_FRAME_FLAG_CORRUPT;
static const int SR_ERROR_EOF = AVERROR_EOF;
static const int SR_ERROR_AGAIN = AVERROR(EAGAIN);
static const int SR_ERROR_NOMEM = AVERROR(ENOMEM);
static const int SR_ERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int SR_ERROR_EXIT = AVERROR_EXIT;

// The last line that libav logged at error level on this thread: a log callback takes a va_list, and Swift has no
// thread-local storage. Call these four from one Swift file only: the buffers are static, so each object file that
// uses them would get its own.
static inline char *sr_log_buffer(void) {
    static __thread char line[512];
    return line;
}

// How many such lines there were. A picture whose missing parts were made up is told at a lower level, and counts.
static inline int *sr_log_count(void) {
    static __thread int count;
    return &count;
}

static inline void sr_log_callback(void *context, int level, const char *format, va_list arguments) {
    if ((level & 0xff) > AV_LOG_ERROR) {
        if ((level & 0xff) <= AV_LOG_INFO && strncmp(format, "concealing ", 11) == 0) ++*sr_log_count();
        return;
    }
    ++*sr_log_count();
    int prefix = 1;
    av_log_format_line2(context, level, format, arguments, sr_log_buffer(), 512, &prefix);
}

static inline void sr_install_log_callback(void) { av_log_set_callback(sr_log_callback); }

// AV_CHANNEL_ORDER_* live inside a struct with an anonymous union, which Swift imports without initialisers.
static inline int sr_layout_is_unspecified(const AVChannelLayout *layout) {
    return layout->order == AV_CHANNEL_ORDER_UNSPEC || !av_channel_layout_check(layout);
}
