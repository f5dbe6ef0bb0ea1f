// Measures simdjson on the same lines. It validates and parses them into its tape but creates no reports. Prints the same
// figures as `locwatch-dev bench-decode`.
#include <cstdio>
#include <ctime>
#include <simdjson.h>

static double cpu_seconds()
{
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

int main(int argc, char **argv)
{
    simdjson::padded_string text;
    if (argc != 2 || simdjson::padded_string::load(argv[1]).get(text)) {
        std::fprintf(stderr, "usage: simdjson FILE\n");
        return 74;
    }
    simdjson::dom::parser parser;
    simdjson::dom::document_stream lines;
    long count = 0;
    double before = cpu_seconds();
    if (parser.parse_many(text, 1 << 20).get(lines)) return 74;
    for (auto line : lines) {
        std::string_view name;
        count += !line["class"].get(name);
    }
    std::printf("{\"bytes\":%zu,\"count\":%ld,\"seconds\":%.6f}\n", text.size(), count, cpu_seconds() - before);
    return 0;
}
