#include "assay/unicode.hpp"

namespace assay {

#include "unicode_tables.inc"

}  // namespace assay
