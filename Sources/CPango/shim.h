// Text and shapes: Pango, HarfBuzz, FreeType and Fontconfig by way of Cairo; and casts that are macros.
#pragma once
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <fontconfig/fcfreetype.h>
#include <harfbuzz/hb.h>
#include <harfbuzz/hb-ot.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>
#include <pango/pangofc-fontmap.h>

static inline PangoFontMap *splitreel_font_map(FcConfig *config) {
    PangoFontMap *map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    if (map != NULL) pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
    return map;
}

// The font's pattern, owned by the font; NULL where Fontconfig did not find it.
static inline FcPattern *splitreel_font_pattern(PangoFont *font) {
    return PANGO_IS_FC_FONT(font) ? pango_fc_font_get_pattern(PANGO_FC_FONT(font)) : NULL;
}

static inline cairo_scaled_font_t *splitreel_scaled_font(PangoFont *font) {
    return PANGO_IS_CAIRO_FONT(font) ? pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font)) : NULL;
}

// Bit fields, which Swift does not see. Whether a word starts with a character, and whether a line may.
static inline int splitreel_is_word_start(const PangoLogAttr *list, int index) { return list[index].is_word_start; }
static inline int splitreel_is_line_break(const PangoLogAttr *list, int index) { return list[index].is_line_break; }
