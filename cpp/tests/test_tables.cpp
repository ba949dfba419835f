// test_tables.cpp: tables and sorting against the standard library's, with few keys and with many.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "assay/base/code_counter.hpp"
#include "assay/base/key_table.hpp"
#include "assay/base/memory.hpp"
#include "assay/base/radix_sort.hpp"
#include "assay/base/random.hpp"
#include "tests.hpp"

namespace {

struct Numbered {
    std::uint64_t key;
    std::uint64_t number;
};

struct Counted {
    std::uint32_t code;
    std::uint32_t count;
};

void keys_keep_what_they_were_given_while_the_table_grows() {
    assay::Random random(1);
    assay::KeyTable<Numbered> table;
    std::map<std::uint64_t, std::uint64_t> expected;
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t key = random.below(5000) + std::uint64_t{1};
        table.reserve(1);
        table.find_or_insert(key, table.home(key), [&](Numbered& slot) { slot.number = table.size(); });
        expected.emplace(key, expected.size() + 1);
    }
    check(table.size() == expected.size(), "a key is inserted once");
    for (std::uint64_t key = 1; key <= 6000; ++key) {
        const Numbered* found = table.find(key, table.home(key));
        const auto known = expected.find(key);
        check((found != nullptr) == (known != expected.end()), "only keys that were inserted are found");
        check(found == nullptr || found->number == known->second, "a key keeps what it was given");
    }
}

void codes_are_counted_in_the_order_of_their_first_appearance() {
    assay::Random random(2);
    assay::CodeCounter<Counted> counter;
    for (const std::size_t size : {0, 1, 31, 5000, 40}) {
        std::vector<std::uint32_t> codes(size), order;
        std::map<std::uint32_t, std::uint32_t> expected;
        for (std::uint32_t& code : codes) code = random.below(300) * 0x01000001u;
        counter.clear(size);
        for (const std::uint32_t code : codes) {
            counter.add(code, [&] { return Counted{code, 1}; });
            if (++expected[code] == 1) order.push_back(code);
        }
        const auto counted = counter.counted();
        check(counted.size() == order.size(), "a code is kept once");
        for (std::size_t i = 0; i < order.size(); ++i) {
            check(counted[i].code == order[i], "codes stand in the order of their first appearance");
            check(counted[i].count == expected[order[i]], "codes are counted");
        }
    }
}

template <class Items>
void sorts_as_the_standard_library_does(int n_bits) {
    using Key = std::remove_cvref_t<decltype(std::declval<Items&>()[0])>;
    assay::Random random(3);
    for (const std::size_t size : {0, 1, 31, 32, 4095, 4096, 10000}) {
        Items items(size), space;
        std::vector<Key> expected(size);
        for (std::size_t i = 0; i < size; ++i)
            expected[i] = items[i] = static_cast<Key>(random.next() >> (64 - n_bits));
        std::sort(expected.begin(), expected.end());
        assay::radix_sort(items, space, n_bits, std::identity());
        check(std::equal(expected.begin(), expected.end(), items.data()), "items are sorted by their keys");
    }
}

}  // namespace

void test_tables() {
    keys_keep_what_they_were_given_while_the_table_grows();
    codes_are_counted_in_the_order_of_their_first_appearance();
    for (const int n_bits : {1, 9, 22, 32}) sorts_as_the_standard_library_does<std::vector<std::uint32_t>>(n_bits);
    for (const int n_bits : {1, 40, 64}) sorts_as_the_standard_library_does<assay::ZeroedArray<std::uint64_t>>(n_bits);
}
