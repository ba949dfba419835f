// documents.hpp: texts as Python and Arrow hold them, for kernels to read without a copy.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "assay/text/text.hpp"
#include "bindings/base/arrays.hpp"

namespace assay::bindings {

/// Documents where they are, kept alive by references to their owners.
class Documents {
 public:
    std::int64_t size() const { return static_cast<std::int64_t>(spans_.size()); }

    /// Of all documents together, in bytes or, of Python strings that are not ASCII, in characters.
    std::uint64_t length() const {
        std::uint64_t sum = 0;
        for (const text::TextSpan& text : spans_) sum += text.size();
        return sum;
    }

    void add_strings(nb::typed<nb::sequence, nb::str> strings) {
        nb::tuple items(strings);  // holds every string whatever becomes of the sequence
        const std::size_t n = nb::len(items);
        spans_.reserve(spans_.size() + n);
        for (std::size_t i = 0; i < n; ++i) {
            PyObject* item = PyTuple_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(i));
            if (!PyUnicode_Check(item)) {
                throw nb::type_error(("document " + std::to_string(i) + " is not a str").c_str());
            }
            const auto length = static_cast<std::uint64_t>(PyUnicode_GET_LENGTH(item));
            const text::Encoding encoding =
                PyUnicode_IS_ASCII(item) ? text::Encoding::utf8 : static_cast<text::Encoding>(PyUnicode_KIND(item));
            spans_.emplace_back(PyUnicode_DATA(item), length, encoding);
        }
        owners_.push_back(std::move(items));
    }

    template <class Offset>
    void add_arrow(const InputArray<Offset>& offsets, const InputArray<std::uint8_t>& bytes) {
        if (offsets.size() == 0) return;
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
            const auto begin = static_cast<std::int64_t>(offsets(i)), end = static_cast<std::int64_t>(offsets(i + 1));
            if (begin < 0 || begin > end || end > static_cast<std::int64_t>(bytes.size())) {
                throw nb::value_error(("offset " + std::to_string(i) + " of an Arrow array is out of range").c_str());
            }
            spans_.emplace_back(bytes.data() + begin, static_cast<std::uint64_t>(end - begin), text::Encoding::utf8);
        }
        owners_.push_back(nb::cast(bytes));
    }

    std::span<const text::TextSpan> spans() const { return spans_; }

    nb::typed<nb::list, nb::str> strings() const {
        nb::typed<nb::list, nb::str> result;
        for (std::size_t i = 0; i < spans_.size(); ++i) {
            const text::TextSpan& text = spans_[i];
            const auto size = static_cast<Py_ssize_t>(text.size());
            PyObject* string = text.encoding() == text::Encoding::utf8
                                   ? PyUnicode_DecodeUTF8(static_cast<const char*>(text.data()), size, "strict")
                                   : PyUnicode_FromKindAndData(static_cast<int>(text.encoding()), text.data(), size);
            if (string == nullptr) {
                PyErr_Clear();
                throw nb::value_error(("document " + std::to_string(i) + ": a byte of it is not UTF-8").c_str());
            }
            result.append(nb::steal(string));
        }
        return result;
    }

 private:
    std::vector<text::TextSpan> spans_;
    std::vector<nb::object> owners_;
};

/// Runs a kernel without the GIL; invalid text becomes a ValueError that names its document.
template <class Work>
auto unlocked_run(Work&& work) {
    try {
        return without_gil(work);
    } catch (const text::InvalidText& error) {
        char value[8];
        std::snprintf(value, sizeof value, "0x%02X", error.value);
        throw nb::value_error(("document " + std::to_string(error.document) + ": byte " + std::to_string(error.byte) +
                               " (" + value + ") is not UTF-8")
                                  .c_str());
    }
}

}  // namespace assay::bindings
