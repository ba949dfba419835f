// unicode.hpp: what Python's str and re say of a code point (tables generated at build time).
#pragma once

#include <cstdint>

namespace assay {

/// Version of the Unicode character database behind the tables; equals Python's unicodedata.unidata_version.
const char* unicode_version();

}  // namespace assay
