// documents.cpp: texts, how they are cut into tokens, and their words by number.
#include "bindings/text/documents.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "assay/text/analyzer.hpp"
#include "assay/text/unicode.hpp"
#include "assay/text/word_reader.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/base/names.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

const std::map<std::string, text::Unit> kUnits{{"word", text::Unit::word},
                                               {"char", text::Unit::chars},
                                               {"char_wb", text::Unit::char_wb},
                                               {"piece", text::Unit::piece}};
const std::map<std::string, text::Accents> kAccents{
    {"keep", text::Accents::keep}, {"unicode", text::Accents::unicode}, {"ascii", text::Accents::ascii}};
const std::map<std::string, text::Marking> kMarkings{{"none", text::Marking::none},
                                                     {"words", text::Marking::words},
                                                     {"words_and_punctuation", text::Marking::words_and_punctuation},
                                                     {"not_space", text::Marking::not_space},
                                                     {"separated", text::Marking::separated}};
text::Analyzer make_analyzer(const std::string& unit, std::uint32_t min_n, std::uint32_t max_n,
                             std::uint32_t min_token_length, bool lowercase, const std::string& accents,
                             const std::string& marking, const std::vector<nb::bytes>& stop_words) {
    if (min_n < 1 || min_n > max_n) throw nb::value_error("n-grams need 1 <= min_n <= max_n");
    if (min_token_length < 1) throw nb::value_error("min_token_length must be at least 1");
    text::Analyzer analyzer;
    analyzer.unit = named(kUnits, unit, "unit");
    if (analyzer.unit == text::Unit::piece && max_n != 1)
        throw nb::value_error("pieces are counted as they are: max_n must be 1");
    analyzer.min_n = min_n;
    analyzer.max_n = max_n;
    analyzer.min_token_length = min_token_length;
    analyzer.normalize = {lowercase, named(kAccents, accents, "accents"), named(kMarkings, marking, "marking")};
    for (const nb::bytes& word : stop_words) analyzer.stop_words.emplace_back(word.c_str(), word.size());
    return analyzer;
}

void bind_word_reader(nb::module_& m) {
    nb::class_<text::WordReader>(m, "WordReader")
        .def(
            "__init__",
            [](text::WordReader* self, const text::Analyzer& analyzer, bool by_sentence, bool keep_punctuation) {
                new (self) text::WordReader({analyzer, by_sentence, keep_punctuation});
            },
            "analyzer"_a, "by_sentence"_a, "keep_punctuation"_a)
        .def(
            "read",
            [](text::WordReader& self, const Documents& documents, int n_threads) {
                return to_numpy(unlocked_run([&] { return self.read(documents.spans(), n_threads); }));
            },
            "documents"_a, "n_threads"_a, "Ids of the words in order, -1 behind each sequence.")
        .def_prop_ro("n_words", &text::WordReader::n_words)
        .def("counts",
             [](const text::WordReader& self) {
                 return to_numpy(std::vector<std::int64_t>(self.counts().begin(), self.counts().end()));
             })
        .def(
            "words",
            [](const text::WordReader& self, const InputArray<std::int32_t>& ids) {
                require_range("ids", span_of(ids), self.n_words());
                std::vector<std::uint8_t> bytes;
                std::vector<std::int64_t> offsets{0};
                for (const std::int32_t id : span_of(ids)) {
                    const std::string_view word = self.word(static_cast<std::uint32_t>(id));
                    bytes.insert(bytes.end(), word.begin(), word.end());
                    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
                }
                return to_arrays(std::move(bytes), std::move(offsets));
            },
            "ids"_a, "The words as bytes and offsets.");
}

}  // namespace

void bind_documents(nb::module_& m) {
    m.attr("unicode_version") = std::string(text::kUnicodeVersion);
    m.attr("separator") = std::string(1, static_cast<char>(text::kSeparator));

    nb::class_<text::Analyzer>(m, "Analyzer")
        .def_static("make", &make_analyzer, nb::kw_only(), "unit"_a, "min_n"_a, "max_n"_a, "min_token_length"_a,
                    "lowercase"_a, "accents"_a, "marking"_a, "stop_words"_a);

    nb::class_<Documents>(m, "Documents")
        .def(nb::init<>())
        .def("__len__", &Documents::size)
        .def_prop_ro("length", &Documents::length)
        .def("strings", &Documents::strings, "The documents as Python strings.")
        .def("add_strings", &Documents::add_strings, "strings"_a)
        .def("add_arrow", &Documents::add_arrow<std::int32_t>, "offsets"_a.noconvert(), "bytes"_a)
        .def("add_arrow", &Documents::add_arrow<std::int64_t>, "offsets"_a.noconvert(), "bytes"_a);

    bind_word_reader(m);
}

}  // namespace assay::bindings
