#ifndef CLOCWATCH_RESOURCES_H
#define CLOCWATCH_RESOURCES_H

#include <stddef.h>

// The files that are parts of the program. They are not copied when it starts.

/// A file of the page of `locwatch web`, from the folder Web.
struct locwatch_page_file {
    /// The path at which the file is served.
    const char *path;
    const char *media_type;
    const unsigned char *bytes;
    size_t count;
};

/// Returns a file of the page, or NULL beyond the last one.
const struct locwatch_page_file *locwatch_page_file(size_t place);

/// Returns the text of the manual page, from the files of the folder Manual with an empty line between them.
const char *locwatch_manual(void);

/// Returns the JSON Schema of the output of --json.
const char *locwatch_json_schema(void);

#endif
