#include "CExpat.h"

#include "OptionalLibrary.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Every function that is used.
#define FUNCTIONS(DO) \
    DO(XML_ParserCreate_MM) \
    DO(XML_ParserFree) \
    DO(XML_SetUserData) \
    DO(XML_SetElementHandler) \
    DO(XML_SetCharacterDataHandler) \
    DO(XML_SetEntityDeclHandler) \
    DO(XML_SetAttlistDeclHandler) \
    DO(XML_SetUnknownEncodingHandler) \
    DO(XML_Parse) \
    DO(XML_StopParser) \
    DO(XML_GetErrorCode) \
    DO(XML_GetCurrentLineNumber) \
    DO(XML_ErrorString)

struct locwatch_expat {
    LIBRARY_MEMBERS(FUNCTIONS)
};

const locwatch_expat *locwatch_expat_open(const char *soname) {
    return LIBRARY_TABLE(struct locwatch_expat, FUNCTIONS, soname, RTLD_NOW);
}

struct locwatch_expat_parser {
    const locwatch_expat *expat;
    XML_Parser parser;
    void *context;
    locwatch_expat_start start;
    locwatch_expat_end end;
    locwatch_expat_text text;
    size_t used;
    size_t limit;
    int declares;
};

// libexpat buffers a token until its end, and keeps every name of an element. Neither has a limit of its own, so the memory
// has one. libexpat's functions for memory take no context, so this variable holds the parser that runs on the thread.
static __thread locwatch_expat_parser *working;

// The size of a block precedes it, with the alignment that malloc promises.
typedef union {
    size_t size;
    max_align_t alignment;
} block;

static void *allocate(size_t size) {
    locwatch_expat_parser *parser = working;
    if (size > parser->limit - parser->used) return NULL;
    block *start = malloc(sizeof *start + size);
    if (start == NULL) return NULL;
    start->size = size;
    parser->used += size;
    return start + 1;
}

static void release(void *bytes) {
    if (bytes == NULL) return;
    block *start = (block *)bytes - 1;
    working->used -= start->size;
    free(start);
}

static void *reallocate(void *bytes, size_t size) {
    if (bytes == NULL) return allocate(size);
    locwatch_expat_parser *parser = working;
    block *start = (block *)bytes - 1;
    size_t before = start->size;
    if (size > before && size - before > parser->limit - parser->used) return NULL;
    start = realloc(start, sizeof *start + size);
    if (start == NULL) return NULL;
    start->size = size;
    parser->used = parser->used - before + size;
    return start + 1;
}

static void start_element(void *data, const XML_Char *name, const XML_Char **attributes) {
    locwatch_expat_parser *parser = data;
    parser->start(parser->context, name, attributes);
}

static void end_element(void *data, const XML_Char *name) {
    locwatch_expat_parser *parser = data;
    parser->end(parser->context, name);
}

static void character_data(void *data, const XML_Char *bytes, int count) {
    locwatch_expat_parser *parser = data;
    parser->text(parser->context, bytes, count);
}

// Tracks declare no entities. Attacks declare them to read other files, or to make a small document huge.
static void declare_entity(
    void *data, const XML_Char *name, int is_parameter, const XML_Char *value, int length, const XML_Char *base,
    const XML_Char *system, const XML_Char *public, const XML_Char *notation) {
    (void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    locwatch_expat_parser *parser = data;
    parser->declares = 1;
    parser->expat->XML_StopParser(parser->parser, XML_FALSE);
}

// Tracks declare no attributes either: every element gets the declared ones, so that a small document costs much time.
static void declare_attribute(
    void *data, const XML_Char *element, const XML_Char *name, const XML_Char *type, const XML_Char *value, int is_required) {
    (void)element, (void)name, (void)type, (void)value, (void)is_required;
    locwatch_expat_parser *parser = data;
    parser->declares = 1;
    parser->expat->XML_StopParser(parser->parser, XML_FALSE);
}

// libexpat itself knows UTF-8, UTF-16, ISO-8859-1 and ASCII. In the other single-byte encodings of old programs, coordinates and
// times are ASCII, and the letters in names do not matter, so that all of them are read like ISO-8859-1.
static int unknown_encoding(void *data, const XML_Char *name, XML_Encoding *encoding) {
    (void)data;
    if (strncasecmp(name, "windows-125", 11) != 0 && strncasecmp(name, "cp125", 5) != 0 &&
        strncasecmp(name, "iso-8859-", 9) != 0 && strncasecmp(name, "koi8-", 5) != 0)
        return XML_STATUS_ERROR;
    for (int code = 0; code < 256; code++) encoding->map[code] = code;
    encoding->data = NULL;
    encoding->convert = NULL;
    encoding->release = NULL;
    return XML_STATUS_OK;
}

locwatch_expat_parser *locwatch_expat_parser_create(
    const locwatch_expat *expat, size_t limit, void *context, locwatch_expat_start start, locwatch_expat_end end,
    locwatch_expat_text text) {
    locwatch_expat_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL) return NULL;
    parser->expat = expat;
    parser->context = context;
    parser->start = start;
    parser->end = end;
    parser->text = text;
    parser->limit = limit;
    static const XML_Memory_Handling_Suite memory = {allocate, reallocate, release};
    working = parser;
    parser->parser = expat->XML_ParserCreate_MM(NULL, &memory, NULL);
    working = NULL;
    if (parser->parser == NULL) {
        free(parser);
        return NULL;
    }
    expat->XML_SetUserData(parser->parser, parser);
    expat->XML_SetElementHandler(parser->parser, start_element, end_element);
    expat->XML_SetEntityDeclHandler(parser->parser, declare_entity);
    expat->XML_SetAttlistDeclHandler(parser->parser, declare_attribute);
    expat->XML_SetUnknownEncodingHandler(parser->parser, unknown_encoding, NULL);
    return parser;
}

void locwatch_expat_parser_free(locwatch_expat_parser *parser) {
    working = parser;
    parser->expat->XML_ParserFree(parser->parser);
    working = NULL;
    free(parser);
}

locwatch_expat_result locwatch_expat_parse(locwatch_expat_parser *parser, const void *bytes, int count, int is_final) {
    locwatch_expat_parser *outer = working;
    working = parser;
    enum XML_Status status = parser->expat->XML_Parse(parser->parser, bytes, count, is_final);
    working = outer;
    if (status != XML_STATUS_ERROR) return locwatch_expat_ok;
    if (parser->declares) return locwatch_expat_declaration;
    switch (parser->expat->XML_GetErrorCode(parser->parser)) {
    case XML_ERROR_ABORTED: return locwatch_expat_stopped;
    case XML_ERROR_NO_MEMORY: return locwatch_expat_memory;
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
    case XML_ERROR_PARTIAL_CHAR: return is_final ? locwatch_expat_torn : locwatch_expat_malformed;
    default: return locwatch_expat_malformed;
    }
}

void locwatch_expat_stop(locwatch_expat_parser *parser) {
    parser->expat->XML_StopParser(parser->parser, XML_FALSE);
}

void locwatch_expat_pass_text(locwatch_expat_parser *parser, int passes) {
    parser->expat->XML_SetCharacterDataHandler(parser->parser, passes ? character_data : NULL);
}

unsigned long locwatch_expat_line(locwatch_expat_parser *parser) {
    return parser->expat->XML_GetCurrentLineNumber(parser->parser);
}

const char *locwatch_expat_message(locwatch_expat_parser *parser) {
    return parser->expat->XML_ErrorString(parser->expat->XML_GetErrorCode(parser->parser));
}
