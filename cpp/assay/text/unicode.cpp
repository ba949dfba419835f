#include "assay/text/unicode.hpp"

namespace assay::text {

#include "unicode_tables.inc"

}  // namespace assay::text
