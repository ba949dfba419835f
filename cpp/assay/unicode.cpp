#include "assay/unicode.hpp"

namespace assay {

#include "unicode_tables.inc"

const char* unicode_version() { return kUnicodeVersion; }

}  // namespace assay
