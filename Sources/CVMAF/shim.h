// VMAF by libvmaf, which Debian 12 has no package of: looked for when it is needed, never linked. What stands here of
// its interface is the same in its versions 2 and 3 but where a comment says so.
#pragma once
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Passed by value, in memory: version 2 knows no GPUs, and does not look at what lies behind its fields.
typedef struct SRVmafConfiguration {
    int log_level;
    unsigned thread_count, subsample;
    uint64_t cpu_mask, gpu_mask;
} SRVmafConfiguration;

// What follows the planes is the library's own, and of more than one layout.
typedef struct SRVmafPicture {
    int format;
    unsigned depth, width[3], height[3];
    ptrdiff_t stride[3];
    void *data[3];
    void *rest[32];
} SRVmafPicture;

typedef struct SRVmafModelConfiguration {
    const char *name;
    uint64_t flags, spare[2];
} SRVmafModelConfiguration;

// The library's functions, and one measurement.
typedef struct __attribute__((swift_attr("safe"))) SRVmaf {
    const char *(*version)(void);
    int (*init)(void **context, SRVmafConfiguration configuration);
    int (*model_load)(void **model, SRVmafModelConfiguration *configuration, const char *name);
    void (*model_destroy)(void *model);
    int (*use_features_from_model)(void *context, void *model);
    int (*picture_alloc)(SRVmafPicture *picture, int format, unsigned depth, unsigned width, unsigned height);
    int (*picture_unref)(SRVmafPicture *picture);
    int (*read_pictures)(void *context, SRVmafPicture *reference, SRVmafPicture *other, unsigned index);
    int (*score_at_index)(void *context, void *model, double *score, unsigned index);
    int (*close)(void *context);
    void *context, *model;
} SRVmaf;

// Takes the functions of the library of this name, which stays loaded. 1; 0 where there is none, -1 and the reason
// where it is no use.
static inline int sr_vmaf_open(SRVmaf *vmaf, const char *name, char *reason, size_t size) {
    memset(vmaf, 0, sizeof *vmaf);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *error = dlerror();
        snprintf(reason, size, "%s", error ? error : name);
        // The same of a library that it needs begins with that one's name.
        size_t length = strlen(name);
        int is_absent = !strncmp(reason, name, length) && strstr(reason + length, "No such file") != NULL;
        return is_absent ? 0 : -1;
    }
    const struct { const char *name; void *place; } wanted[] = {
        {"vmaf_version", &vmaf->version}, {"vmaf_init", &vmaf->init}, {"vmaf_model_load", &vmaf->model_load},
        {"vmaf_model_destroy", &vmaf->model_destroy},
        {"vmaf_use_features_from_model", &vmaf->use_features_from_model},
        {"vmaf_picture_alloc", &vmaf->picture_alloc}, {"vmaf_picture_unref", &vmaf->picture_unref},
        {"vmaf_read_pictures", &vmaf->read_pictures}, {"vmaf_score_at_index", &vmaf->score_at_index},
        {"vmaf_close", &vmaf->close},
    };
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        void *symbol = dlsym(library, wanted[index].name);
        if (!symbol) {
            snprintf(reason, size, "%s has no %s", name, wanted[index].name);
            dlclose(library);
            return -1;
        }
        memcpy(wanted[index].place, &symbol, sizeof symbol);
    }
    return 1;
}

static inline void sr_vmaf_end(SRVmaf *vmaf) {
    if (vmaf->context) vmaf->close(vmaf->context);
    if (vmaf->model) vmaf->model_destroy(vmaf->model);
    vmaf->context = vmaf->model = NULL;
}

static inline const char *sr_vmaf_version(const SRVmaf *vmaf) { return vmaf->version(); }

// Begins a measurement by a model that is built into the library, on the caller's thread alone and without a word. 0;
// else the reason, and nothing to be ended.
static inline int sr_vmaf_begin(SRVmaf *vmaf, const char *model, char *reason, size_t size) {
    SRVmafConfiguration configuration = {0};
    SRVmafModelConfiguration model_configuration = {0};
    // First of all: it makes the library silent.
    int result = vmaf->init(&vmaf->context, configuration);
    if (result) {
        snprintf(reason, size, "vmaf_init answers %d", result);
        vmaf->context = NULL;
        return result;
    }
    if ((result = vmaf->model_load(&vmaf->model, &model_configuration, model))) {
        snprintf(reason, size, "it has no model %s", model);
        vmaf->model = NULL;
    } else if ((result = vmaf->use_features_from_model(vmaf->context, vmaf->model))) {
        snprintf(reason, size, "vmaf_use_features_from_model answers %d", result);
    }
    if (result) sr_vmaf_end(vmaf);
    return result;
}

// A picture of 4:2:0 with this luma and no colour, since the models look at luma alone. A sample has two bytes beyond
// 8 bits.
static inline int sr_vmaf_picture(
    const SRVmaf *vmaf, SRVmafPicture *picture, const void *luma, ptrdiff_t stride, unsigned width, unsigned height,
    unsigned depth
) {
    const int yuv420 = 1;
    size_t bytes = depth > 8 ? 2 : 1;
    memset(picture, 0, sizeof *picture);
    int result = vmaf->picture_alloc(picture, yuv420, depth, width, height);
    if (result) return result;
    for (unsigned y = 0; y < height; y++)
        memcpy((char *)picture->data[0] + y * picture->stride[0], (const char *)luma + y * stride, width * bytes);
    for (int plane = 1; plane < 3; plane++)
        for (unsigned y = 0; y < picture->height[plane]; y++) {
            uint8_t *row = (uint8_t *)picture->data[plane] + y * picture->stride[plane];
            for (unsigned x = 0; x < picture->width[plane]; x++)
                if (bytes == 1) row[x] = 128; else ((uint16_t *)row)[x] = (uint16_t)(1 << (depth - 1));
        }
    return 0;
}

// The next pair of frames, by their luma; nothing is kept of it. 0, or less than 0.
static inline int sr_vmaf_add(
    SRVmaf *vmaf, const void *reference, ptrdiff_t reference_stride, const void *other, ptrdiff_t other_stride,
    unsigned width, unsigned height, unsigned depth, unsigned index
) {
    SRVmafPicture first, second;
    int result = sr_vmaf_picture(vmaf, &first, reference, reference_stride, width, height, depth);
    if (result) return result;
    result = sr_vmaf_picture(vmaf, &second, other, other_stride, width, height, depth);
    if (result) {
        vmaf->picture_unref(&first);
        return result;
    }
    // Takes both over.
    return vmaf->read_pictures(vmaf->context, &first, &second, index);
}

// After the last pair. What it answers is no matter: of a single frame some versions answer an error.
static inline void sr_vmaf_flush(SRVmaf *vmaf) { vmaf->read_pictures(vmaf->context, NULL, NULL, 0); }

static inline int sr_vmaf_score(SRVmaf *vmaf, unsigned index, double *score) {
    return vmaf->score_at_index(vmaf->context, vmaf->model, score, index);
}
