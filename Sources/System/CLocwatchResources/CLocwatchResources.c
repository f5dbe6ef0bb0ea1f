#include "CLocwatchResources.h"

// An extension of clang before C23. The files that it names are dependencies of this one: a change of them leads to a build.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char schema[] = {
#embed "../../../Schema/locwatch-1.schema.json" suffix(, 0)
};

const char *locwatch_json_schema(void) { return (const char *)schema; }

// The topics of the manual page in their order.
static const unsigned char manual[] = {
#embed "../../../Manual/description.txt" suffix(, '\n',)
#embed "../../../Manual/output.txt" suffix(, '\n',)
#embed "../../../Manual/source.txt" suffix(, '\n',)
#embed "../../../Manual/simulated-receivers.txt" suffix(, '\n',)
#embed "../../../Manual/target.txt" suffix(, '\n',)
#embed "../../../Manual/lines.txt" suffix(, '\n',)
#embed "../../../Manual/recipes.txt" suffix(, '\n',)
#embed "../../../Manual/options.txt" suffix(, '\n',)
#embed "../../../Manual/places.txt" suffix(, '\n',)
#embed "../../../Manual/past-positions.txt" suffix(, '\n',)
#embed "../../../Manual/averaging.txt" suffix(, '\n',)
#embed "../../../Manual/configuration.txt" suffix(, '\n',)
#embed "../../../Manual/no-position.txt" suffix(, '\n',)
#embed "../../../Manual/hooks.txt" suffix(, '\n',)
#embed "../../../Manual/state.txt" suffix(, '\n',)
#embed "../../../Manual/status-bars.txt" suffix(, '\n',)
#embed "../../../Manual/services.txt" suffix(, '\n',)
#embed "../../../Manual/monitor.txt" suffix(, '\n',)
#embed "../../../Manual/web.txt" suffix(, '\n',)
#embed "../../../Manual/desktop.txt" suffix(, '\n',)
#embed "../../../Manual/testing.txt" suffix(, '\n',)
#embed "../../../Manual/environment.txt" suffix(, '\n',)
#embed "../../../Manual/integrity.txt" suffix(, '\n',)
#embed "../../../Manual/corrections.txt" suffix(, '\n',)
#embed "../../../Manual/receivers.txt" suffix(, '\n',)
#embed "../../../Manual/limits.txt" suffix(, '\n',)
#embed "../../../Manual/safety.txt" suffix(, '\n',)
#embed "../../../Manual/omissions.txt" suffix(, '\n',)
#embed "../../../Manual/exit-status.txt" suffix(, 0)
};

const char *locwatch_manual(void) { return (const char *)manual; }

static const unsigned char index_html[] = {
#embed "../../../Web/index.html"
};

static const unsigned char locwatch_css[] = {
#embed "../../../Web/locwatch.css"
};

static const unsigned char icon_svg[] = {
#embed "../../../Web/icon.svg"
};

static const unsigned char charts_js[] = {
#embed "../../../Web/charts.js"
};

static const unsigned char map_js[] = {
#embed "../../../Web/map.js"
};

static const unsigned char mercator_js[] = {
#embed "../../../Web/mercator.js"
};

static const unsigned char model_js[] = {
#embed "../../../Web/model.js"
};

static const unsigned char page_js[] = {
#embed "../../../Web/page.js"
};

static const unsigned char text_js[] = {
#embed "../../../Web/text.js"
};

static const unsigned char tiles_js[] = {
#embed "../../../Web/tiles.js"
};

static const struct locwatch_page_file files[] = {
    {"/", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"/locwatch.css", "text/css; charset=utf-8", locwatch_css, sizeof locwatch_css},
    {"/icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"/charts.js", "text/javascript; charset=utf-8", charts_js, sizeof charts_js},
    {"/map.js", "text/javascript; charset=utf-8", map_js, sizeof map_js},
    {"/mercator.js", "text/javascript; charset=utf-8", mercator_js, sizeof mercator_js},
    {"/model.js", "text/javascript; charset=utf-8", model_js, sizeof model_js},
    {"/page.js", "text/javascript; charset=utf-8", page_js, sizeof page_js},
    {"/text.js", "text/javascript; charset=utf-8", text_js, sizeof text_js},
    {"/tiles.js", "text/javascript; charset=utf-8", tiles_js, sizeof tiles_js},
};

const struct locwatch_page_file *locwatch_page_file(size_t place) {
    return place < sizeof files / sizeof *files ? &files[place] : NULL;
}
