// sentence_ends.hpp: where a sentence ends, seen from its tokens and the spaces between them.
//
// A full stop, question or exclamation mark (or a run of them), with any closing quotes and brackets right behind it,
// ends a sentence if white space follows; the wide marks of Chinese and Japanese end one in any case, and so does an
// empty line. A full stop behind a single letter or a title ("J. Smith", "Mr. Smith") does not.
#pragma once

#include <cstdint>

#include "assay/text/normalize.hpp"

namespace assay::text {

class SentenceEnds {
 public:
    /// To be told every token of a document in order, punctuation included: has a sentence ended before this one?
    bool before(const NormalizedText& text, std::uint64_t begin, std::uint64_t end);

 private:
    void see_mark(const NormalizedText& text, std::uint64_t begin);

    std::uint64_t last_begin_ = 0, last_end_ = 0;  // of the token before; none while last_end_ is 0
    bool last_is_word_ = false;
    bool ending_ = false;  // what stands here ends a sentence if white space follows
    bool ended_ = false;   // … in any case
};

}  // namespace assay::text
