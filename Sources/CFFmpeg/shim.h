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

// Rubber Band itself: libavfilter's filter of that name neither tells nor makes up for its delay.
#include <rubberband/rubberband-c.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
// prctl is variadic.
#include <sys/prctl.h>
static inline int sr_take_small_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/adler32.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
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
// thread-local storage. Call these from one Swift file only: their storage is static, so each object file that uses
// them would get its own.
static inline char *sr_log_buffer(void) {
    static __thread char line[512];
    return line;
}

// How many such lines there were.
static inline int *sr_log_count(void) {
    static __thread int count;
    return &count;
}

// What this thread opens, for lines of objects that do not know it themselves. Cut to its size.
static inline char *sr_log_subject(void) {
    static __thread char subject[512];
    return subject;
}

static inline void sr_set_log_subject(const char *subject) {
    size_t length = strlen(subject);
    if (length > 511) length = 511;
    memcpy(sr_log_subject(), subject, length);
    sr_log_subject()[length] = 0;
}

// Hears of lines at warning level and above: who wrote it ("h264"), what it worked on (a path, a decoder's subject, or
// ""), and the line.
typedef void (*sr_log_sink)(int level, const char *source, const char *subject, const char *line);

static inline sr_log_sink *sr_current_log_sink(void) {
    static sr_log_sink sink;
    return &sink;
}

// What a codec's context carries for us in its one free pointer: what its lines in the log are about, and who prepares
// its pictures' memory. To be dropped before the context is freed.
typedef struct SRKept { char *subject; void *pictures; } SRKept;

static inline SRKept *sr_kept(AVCodecContext *context) {
    if (!context->opaque) context->opaque = calloc(1, sizeof(SRKept));
    return context->opaque;
}

static inline void sr_keep_subject(AVCodecContext *context, const char *subject) {
    SRKept *kept = sr_kept(context);
    if (!kept) return;
    free(kept->subject);
    kept->subject = strdup(subject);
}

static inline const char *sr_subject(const void *context) {
    const SRKept *kept = ((const AVCodecContext *)context)->opaque;
    return kept ? kept->subject : 0;
}

static inline void sr_keep_pictures(AVCodecContext *context, void *pictures) {
    SRKept *kept = sr_kept(context);
    if (kept) kept->pictures = pictures;
}

static inline void *sr_pictures(AVCodecContext *context) {
    SRKept *kept = context->opaque;
    return kept ? kept->pictures : 0;
}

static inline void sr_drop_kept(AVCodecContext *context) {
    SRKept *kept = context->opaque;
    if (kept) free(kept->subject);
    free(kept);
    context->opaque = 0;
}

static inline void sr_log_callback(void *context, int level, const char *format, va_list arguments) {
    // A picture whose missing parts were made up, and a gap in a transport stream: told at a lower level, and count.
    int isToldLow = (level & 0xff) <= AV_LOG_INFO ? strncmp(format, "concealing ", 11) == 0
        : (level & 0xff) <= AV_LOG_DEBUG && strncmp(format, "Continuity check failed", 23) == 0;
    if ((level & 0xff) > AV_LOG_ERROR && isToldLow) ++*sr_log_count();
    if ((level & 0xff) > AV_LOG_WARNING) return;
    if (*sr_current_log_sink()) {
        char line[512];
        va_list again;
        va_copy(again, arguments);
        vsnprintf(line, sizeof line, format, again);
        va_end(again);
        const AVClass *class = context ? *(const AVClass **)context : 0;
        const char *source = class ? class->class_name : "";
        const char *subject = 0;
        if (class && !strcmp(class->class_name, "AVFormatContext")) subject = ((AVFormatContext *)context)->url;
        if (class && !strcmp(class->class_name, "AVCodecContext")) subject = sr_subject(context);
        if (class && class->item_name) source = class->item_name(context);
        if (!subject || !*subject) subject = sr_log_subject();
        (*sr_current_log_sink())(level & 0xff, source ? source : "", subject, line);
    }
    if ((level & 0xff) > AV_LOG_ERROR) return;
    // H.264 asks to forget a leading picture that was left out where an open group was entered: nothing is wrong.
    if (strncmp(format, "mmco: unref short failure", 25) == 0) return;
    // EXIF data that a decoder does not understand say nothing about the picture's samples.
    if (strncmp(format, "invalid TIFF header in E", 24) == 0) return;
    ++*sr_log_count();
    int prefix = 1;
    av_log_format_line2(context, level, format, arguments, sr_log_buffer(), 512, &prefix);
}

static inline void sr_install_log_callback(sr_log_sink sink) {
    *sr_current_log_sink() = sink;
    av_log_set_callback(sr_log_callback);
}

// A decoder's or encoder's subject for its lines; the context's own field for its owner, which libav never looks at.
// AV_CHANNEL_ORDER_* live inside a struct with an anonymous union, which Swift imports without initialisers.
static inline int sr_layout_is_unspecified(const AVChannelLayout *layout) {
    return layout->order == AV_CHANNEL_ORDER_UNSPEC || !av_channel_layout_check(layout);
}
