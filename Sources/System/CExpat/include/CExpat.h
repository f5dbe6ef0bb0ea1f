#ifndef LOCWATCH_CEXPAT_H
#define LOCWATCH_CEXPAT_H

#include <stddef.h>

// libexpat for Swift, opened at run time by its SONAME, so that a program starts without it and runs where it is missing.
//
// libexpat reads XML in pieces of any size, never opens a file or a connection by itself, and has no dependency but libc.
// Its header is needed to build. Swift does not see it: a document is read through a parser of this module, whose memory is
// limited, and that ends at the first declaration of an entity or an attribute.

/// A loaded libexpat.
typedef struct locwatch_expat locwatch_expat;

/// Opens the library with a SONAME; returns NULL if it is missing or lacks a function.
const locwatch_expat *locwatch_expat_open(const char *soname);

/// A parser of one document.
typedef struct locwatch_expat_parser locwatch_expat_parser;

/// A function that receives the start of an element: its name, and the names and values of its attributes, up to NULL.
typedef void (*locwatch_expat_start)(void *context, const char *name, const char **attributes);
/// A function that receives the end of an element.
typedef void (*locwatch_expat_end)(void *context, const char *name);
/// A function that receives a part of a text in UTF-8.
typedef void (*locwatch_expat_text)(void *context, const char *bytes, int count);

/// Creates a parser that uses at most `limit` bytes; returns NULL without memory.
locwatch_expat_parser *locwatch_expat_parser_create(
    const locwatch_expat *expat, size_t limit, void *context, locwatch_expat_start start, locwatch_expat_end end,
    locwatch_expat_text text);
void locwatch_expat_parser_free(locwatch_expat_parser *parser);

/// The result of reading a piece of a document.
typedef enum {
    locwatch_expat_ok,
    /// The document ends before its last element does.
    locwatch_expat_torn,
    /// The document declares an entity or an attribute.
    locwatch_expat_declaration,
    /// The parser needs more memory than it may use.
    locwatch_expat_memory,
    /// The document is not well-formed, or its encoding is not known.
    locwatch_expat_malformed,
    /// A function that received an element or a text has called `locwatch_expat_stop`.
    locwatch_expat_stopped,
} locwatch_expat_result;

/// Reads the next piece of the document.
locwatch_expat_result locwatch_expat_parse(locwatch_expat_parser *parser, const void *bytes, int count, int is_final);
/// Ends the reading; call it from a function that receives an element or a text.
void locwatch_expat_stop(locwatch_expat_parser *parser);
/// Whether texts are passed to the function for them, from now on; at first they are not. Texts that are not passed cost
/// little, whereas each end of a line would be a call.
void locwatch_expat_pass_text(locwatch_expat_parser *parser, int passes);

/// Returns the number of the current line.
unsigned long locwatch_expat_line(locwatch_expat_parser *parser);
/// Returns libexpat's text for the last error.
const char *locwatch_expat_message(locwatch_expat_parser *parser);

#endif
