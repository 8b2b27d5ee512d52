// A sweep as one would write it in C++: every node of a lattice with its k and its loss.
//
// Reads what benchmarks/sweep_in_cpp.py writes, walks the lattice column by column, each table rolled
// up from the one before it, and prints the seconds with the sums of k and of the loss.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <utility>
#include <vector>

using Table = std::vector<std::pair<uint64_t, int64_t>>;

static std::vector<int64_t> numbers;
static size_t at = 0;
static int64_t next() { return numbers[at++]; }

struct Column {
    int64_t height, shift, mask, width;
    std::vector<std::vector<int64_t>> step, block, extents;  // by level
};
static std::vector<Column> columns;
static std::vector<int64_t> levels, histogram;
static int64_t rows, budget, sum_k = 0, nodes = 0;
static double sum_loss = 0;

static void measure(const Table &table) {
    int64_t largest = 0;
    for (auto &[key, size] : table) {
        histogram[size] += size;
        largest = std::max(largest, size);
    }
    int64_t k = 0, suppressed = 0;
    for (k = 1; k < largest; k++) {
        if (histogram[k] == 0) continue;
        if (suppressed + histogram[k] > budget) break;
        suppressed += histogram[k];
    }
    for (auto &[key, size] : table) histogram[size] = 0;
    double loss = 0;
    std::vector<int64_t> gone(columns.size(), 0);
    for (auto &[key, size] : table)
        if (size < k)
            for (size_t q = 0; q < columns.size(); q++)
                gone[q] += size * (columns[q].block[levels[q]][(key >> columns[q].shift) & columns[q].mask] - 1);
    for (size_t q = 0; q < columns.size(); q++) {
        const Column &c = columns[q];
        loss += double(c.extents[levels[q]][0] - gone[q] + suppressed * c.width) / double(c.width);
    }
    sum_k += k;
    sum_loss += loss;
    nodes++;
}

static void walk(size_t q, Table table) {
    if (q == columns.size()) return measure(table);
    const Column &c = columns[q];
    for (levels[q] = 0;; levels[q]++) {
        const int64_t level = levels[q];
        walk(q + 1, table);
        levels[q] = level;
        if (level == c.height) break;
        for (auto &[key, size] : table) {
            const uint64_t code = (key >> c.shift) & c.mask;
            key = (key & ~(uint64_t(c.mask) << c.shift)) | (uint64_t(c.step[level][code]) << c.shift);
        }
        if (q + 1 < columns.size()) std::sort(table.begin(), table.end());
        size_t last = 0;
        for (size_t i = 1; i < table.size(); i++)
            if (table[i].first == table[last].first) table[last].second += table[i].second;
            else table[++last] = table[i];
        table.resize(last + 1);
    }
    levels[q] = 0;
}

int main(int, char **arguments) {
    FILE *file = std::fopen(arguments[1], "rb");
    std::fseek(file, 0, SEEK_END);
    numbers.resize(size_t(std::ftell(file)) / 8);
    std::rewind(file);
    if (std::fread(numbers.data(), 8, numbers.size(), file) != numbers.size()) return 1;
    std::fclose(file);
    const int64_t count = next();
    rows = next(), budget = next();
    for (int64_t q = 0; q < count; q++) {
        Column c;
        c.height = next(), c.shift = next(), c.mask = next(), c.width = next();
        for (int64_t level = 0; level <= c.height; level++) {
            const int64_t blocks = next();
            c.block.emplace_back(), c.step.emplace_back();
            for (int64_t i = 0; i < blocks; i++) c.block.back().push_back(next());
            for (int64_t i = 0; i < (level < c.height ? blocks : 0); i++) c.step.back().push_back(next());
            c.extents.push_back({next()});
        }
        columns.push_back(c);
    }
    Table cells;
    for (int64_t n = next(); n > 0; n--) {
        const uint64_t key = uint64_t(next());
        cells.emplace_back(key, next());
    }
    levels.assign(columns.size(), 0);
    histogram.assign(size_t(rows) + 1, 0);
    const auto started = std::chrono::steady_clock::now();
    const auto clock_before = std::clock();
    walk(0, cells);
    const double cpu = double(std::clock() - clock_before) / CLOCKS_PER_SEC;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    std::printf("%.6f %.6f %ld %ld %.6f\n", wall, cpu, long(nodes), long(sum_k), sum_loss);
}
