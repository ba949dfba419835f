// text_rows.cpp: columns as rows of text, and where such rows end.
#include "assay/text/text_rows.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>

#include "assay/text/row_ends.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

const std::map<std::string, text::Quoting> kQuotings{
    {"none", text::Quoting::none}, {"separated", text::Quoting::separated}, {"json", text::Quoting::json}};

/// A column with the arrays that it looks at.
class HeldColumn {
 public:
    HeldColumn(InputArray<std::uint8_t> bytes, InputArray<std::int64_t> offsets,
               std::optional<InputArray<std::int32_t>> codes, std::optional<InputArray<std::uint8_t>> valid,
               nb::bytes before, const std::string& quoting)
        : bytes_(std::move(bytes)),
          offsets_(std::move(offsets)),
          codes_(std::move(codes)),
          valid_(std::move(valid)),
          before_(before.c_str(), before.size()) {
        const auto found = kQuotings.find(quoting);
        require(found != kQuotings.end(), "unknown quoting '" + quoting + "'");
        quoting_ = found->second;
        const auto ends = span_of(offsets_);
        require(!ends.empty() && ends.front() >= 0, "a column needs offsets from 0 on");
        for (std::size_t k = 1; k < ends.size(); ++k) require(ends[k] >= ends[k - 1], "the offsets fall");
        require(static_cast<std::size_t>(ends.back()) <= bytes_.size(), "the offsets end behind the bytes");
        if (codes_) require_range("codes", span_of(*codes_), static_cast<std::int64_t>(ends.size()) - 1);
        if (valid_) require_size("valid", valid_->size(), size());
    }

    std::size_t size() const { return codes_ ? codes_->size() : offsets_.size() - 1; }

    text::TextColumn view() const {
        text::TextColumn column{span_of(bytes_), span_of(offsets_), {}, {}, before_, quoting_};
        if (codes_) column.codes = span_of(*codes_);
        if (valid_) column.valid = span_of(*valid_);
        return column;
    }

 private:
    InputArray<std::uint8_t> bytes_;
    InputArray<std::int64_t> offsets_;
    std::optional<InputArray<std::int32_t>> codes_;
    std::optional<InputArray<std::uint8_t>> valid_;
    std::string before_;
    text::Quoting quoting_;
};

NumpyArray<std::uint8_t> write(const std::vector<const HeldColumn*>& columns, nb::bytes end, char delimiter) {
    require(!columns.empty(), "rows need at least one column");
    const std::size_t n_rows = columns.front()->size();
    std::vector<text::TextColumn> views;
    for (const HeldColumn* column : columns) {
        require_size("a column", column->size(), n_rows);
        views.push_back(column->view());
    }
    const std::string_view line_end(end.c_str(), end.size());
    return to_numpy(without_gil(
        [&] { return text::write_text_rows(views, static_cast<std::int64_t>(n_rows), line_end, delimiter); }));
}

/// (the end, the place behind the last byte); places are numbers in the order of RowPlace, and 0 begins a file.
std::pair<std::int64_t, std::uint8_t> row_end(InputArray<std::uint8_t> bytes, std::uint8_t place, char delimiter,
                                              bool quotes) {
    require(place <= static_cast<std::uint8_t>(text::RowPlace::carriage), "unknown place " + std::to_string(place));
    const text::RowEnd found = without_gil(
        [&] { return text::find_row_end(span_of(bytes), static_cast<text::RowPlace>(place), delimiter, quotes); });
    return {found.end, static_cast<std::uint8_t>(found.place)};
}

}  // namespace

void bind_text_rows(nb::module_& m) {
    nb::class_<HeldColumn>(m, "TextColumn")
        .def(nb::init<InputArray<std::uint8_t>, InputArray<std::int64_t>, std::optional<InputArray<std::int32_t>>,
                      std::optional<InputArray<std::uint8_t>>, nb::bytes, const std::string&>(),
             "bytes"_a.noconvert(), "offsets"_a.noconvert(), "codes"_a.none() = nb::none(),
             "valid"_a.none() = nb::none(), "before"_a = nb::bytes("", 0), "quoting"_a = "none")
        .def("__len__", &HeldColumn::size);
    m.def("write_text_rows", &write, "columns"_a, "end"_a, "delimiter"_a = ',');
    m.def("find_row_end", &row_end, "bytes"_a.noconvert(), "place"_a, "delimiter"_a = ',', "quotes"_a = true);
}

}  // namespace assay::bindings
