#include "import/keras/hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "import/keras/little_endian.h"

namespace tfprof {
namespace {

constexpr std::string_view kSignature{"\x89HDF\r\n\x1a\n", 8};
constexpr uint64_t kNoAddress = ~uint64_t{0};
constexpr size_t kMaxRank = 32, kLongestName = 4096, kLargestHeap = 65536;

enum Message : uint16_t {
  kDataspace = 1,
  kLinkInfo = 2,
  kDatatype = 3,
  kLink = 6,
  kAttribute = 12,
  kContinuation = 16,
  kSymbolTable = 17,
};

// The DataType of a datatype message; 0: none that a tensor has.
int32_t DataTypeOf(const LittleEndian& file, uint64_t at) {
  const int kind = file.At<uint8_t>(at) & 15;
  const bool is_signed = (file.At<uint8_t>(at + 1) & 8) != 0;
  const uint32_t size = file.At<uint32_t>(at + 4);
  const auto by_size = [size](int32_t one, int32_t two, int32_t four, int32_t eight) {
    return size == 1 ? one : size == 2 ? two : size == 4 ? four : size == 8 ? eight : 0;
  };
  switch (kind) {
    case 0:  // integers
      return is_signed ? by_size(6, 5, 3, 9) : by_size(4, 17, 22, 23);
    case 1:  // floating point
      return by_size(0, 19, 1, 2);
    case 3:  // text, of a fixed length and of any
    case 9:
      return 7;
    case 5:  // opaque: how bfloat16 is kept
      return size == 2 ? 14 : 0;
    case 8:  // an enumeration: how bool is kept
      return size == 1 ? 10 : 0;
    default:
      return 0;
  }
}

class Hdf5Reader {
 public:
  Hdf5Reader(std::string_view bytes, std::string_view path) : file_(bytes), path_(path) {}

  Result<std::vector<Hdf5Object>> Run() {
    const Result<uint64_t> root = RootAddress();
    if (!root) return root.error();
    Add(0, {}, *root);
    for (uint32_t i = 0; i < objects_.size(); ++i) {
      if (Status s = ReadObject(i); !s) return s.error();
    }
    return std::move(objects_);
  }

 private:
  Error Damaged(std::string_view what, uint64_t at) const {
    return Error::Input(
        fmt::format("{}: {} at byte {} of the weights; the file is damaged or of a kind that "
                    "is not read",
                    path_, what, at));
  }

  Result<uint64_t> RootAddress() const {
    const int version = file_.At<uint8_t>(8);
    const bool old = version < 2;
    if (!IsHdf5(file_.bytes()) || version > 3) return Damaged("no superblock", 0);
    const uint64_t sizes = old ? 13 : 9;  // of offsets and of lengths
    if (file_.At<uint8_t>(sizes) != 8 || file_.At<uint8_t>(sizes + 1) != 8)
      return Damaged("addresses of an unusual size", sizes);
    const uint64_t addresses = version == 0 ? 24 : version == 1 ? 28 : 12;
    if (file_.At<uint64_t>(addresses) != 0) return Damaged("a base address", addresses);
    return file_.At<uint64_t>(addresses + (old ? 4 * 8 + 8 : 3 * 8));
  }

  // An object that was seen already has a second name (a link): its first is enough.
  void Add(uint32_t parent, std::string_view name, uint64_t address) {
    if (!seen_.insert(address).second) return;
    objects_.push_back({.parent = parent, .name = name, .dims = {}, .name_attribute = {}});
    addresses_.push_back(address);
  }

  Status ReadObject(uint32_t object);
  Status ReadMessages(uint32_t object, uint64_t begin, uint64_t end, int version, bool ordered);
  Status ReadMessage(uint32_t object, uint16_t type, uint64_t at, uint64_t size);
  Status ReadDataspace(uint32_t object, uint64_t at, uint64_t size);
  Status ReadSymbolTable(uint32_t object, uint64_t tree, uint64_t heap);
  Status ReadSymbols(uint32_t object, uint64_t node, uint64_t names, uint64_t names_size);
  void ReadLink(uint32_t object, uint64_t at);
  void ReadAttribute(uint32_t object, uint64_t at, uint64_t size);
  std::string_view HeapText(uint64_t reference) const;

  struct Block {
    uint64_t begin = 0, end = 0;
  };

  LittleEndian file_;
  std::string_view path_;
  std::vector<Hdf5Object> objects_;
  std::vector<uint64_t> addresses_;  // of the objects
  std::unordered_set<uint64_t> seen_;
  std::vector<Block> continued_;  // of the object at hand
  uint64_t messages_ = 0;         // bytes of all blocks of messages so far
};

Status Hdf5Reader::ReadObject(uint32_t object) {
  const uint64_t at = addresses_[object];
  int version = 1;
  bool ordered = false;
  continued_.clear();
  if (file_.Has(at, "OHDR")) {
    version = 2;
    const int flags = file_.At<uint8_t>(at + 5);
    ordered = (flags & 4) != 0;
    uint64_t size_at = at + 6 + ((flags & 32) ? 16 : 0) + ((flags & 16) ? 4 : 0);
    const uint64_t width = uint64_t{1} << (flags & 3), size = file_.Number(size_at, width);
    size_at += width;
    if (file_.Fits(size_at, size)) continued_.push_back({size_at, size_at + size});
  } else if (file_.Fits(at, 16) && file_.At<uint8_t>(at) == 1) {
    const uint64_t size = file_.At<uint32_t>(at + 8);
    if (file_.Fits(at + 16, size)) continued_.push_back({at + 16, at + 16 + size});
  }
  if (continued_.empty()) return Damaged("no object header", at);
  for (size_t i = 0; i < continued_.size(); ++i) {
    const Block block = continued_[i];
    // Each byte is part of one block: where they overlap, reading them all would take the square of the time.
    messages_ += block.end - block.begin;
    if (messages_ > file_.bytes().size()) return Damaged("messages that overlap", block.begin);
    if (Status s = ReadMessages(object, block.begin, block.end, version, ordered); !s) return s;
  }
  return {};
}

Status Hdf5Reader::ReadMessages(uint32_t object, uint64_t begin, uint64_t end, int version, bool ordered) {
  const uint64_t head = version == 1 ? 8 : ordered ? 6 : 4;
  for (uint64_t at = begin; at + head <= end;) {
    const uint16_t type = version == 1 ? file_.At<uint16_t>(at) : file_.At<uint8_t>(at);
    const uint64_t size = file_.At<uint16_t>(at + (version == 1 ? 2 : 1));
    const int flags = file_.At<uint8_t>(at + (version == 1 ? 4 : 3));
    const uint64_t data = at + head;
    if (data + size > end) return Damaged("a cut message", at);
    at = data + size;
    if (type == kContinuation) {
      Block block{file_.At<uint64_t>(data), 0};
      uint64_t length = file_.At<uint64_t>(data + 8);
      if (!file_.Fits(block.begin, length) || !seen_.insert(block.begin).second)
        return Damaged("a continuation that leads nowhere", data);
      if (version == 2) {  // a signature before, a checksum after
        if (!file_.Has(block.begin, "OCHK") || length < 8) return Damaged("no continuation", block.begin);
        block.begin += 4;
        length -= 8;
      }
      block.end = block.begin + length;
      continued_.push_back(block);
    } else if (flags & 2) {  // shared: kept elsewhere; what we look for is not
      continue;
    } else if (Status s = ReadMessage(object, type, data, size); !s) {
      return s;
    }
  }
  return {};
}

Status Hdf5Reader::ReadMessage(uint32_t object, uint16_t type, uint64_t at, uint64_t size) {
  switch (type) {
    case kDataspace:
      return ReadDataspace(object, at, size);
    case kDatatype:
      objects_[object].dtype = DataTypeOf(file_, at);
      return {};
    case kSymbolTable:
      return ReadSymbolTable(object, file_.At<uint64_t>(at), file_.At<uint64_t>(at + 8));
    case kLink:
      ReadLink(object, at);
      return {};
    case kLinkInfo: {
      const bool ordered = file_.At<uint8_t>(at + 1) & 1;
      if (file_.At<uint64_t>(at + (ordered ? 10 : 2)) == kNoAddress) return {};
      return Damaged("a group whose links are kept apart", at);
    }
    case kAttribute:
      ReadAttribute(object, at, size);
      return {};
    default:
      return {};
  }
}

Status Hdf5Reader::ReadDataspace(uint32_t object, uint64_t at, uint64_t size) {
  Hdf5Object& out = objects_[object];
  out.dataset = true;
  const int version = file_.At<uint8_t>(at);
  const uint64_t rank = file_.At<uint8_t>(at + 1), dims = version == 1 ? 8 : 4;
  if (rank > kMaxRank || dims + rank * 8 > size) return Damaged("a dataspace of too many dimensions", at);
  out.dims.clear();
  for (uint64_t i = 0; i < rank; ++i) {
    const auto dim = file_.At<int64_t>(at + dims + i * 8);
    if (dim < 0) return Damaged("a dimension that is too large", at);
    out.dims.push_back(dim);
  }
  return {};
}

Status Hdf5Reader::ReadSymbolTable(uint32_t object, uint64_t tree, uint64_t heap) {
  if (!file_.Has(heap, "HEAP")) return Damaged("no names of a group", heap);
  const uint64_t names_size = file_.At<uint64_t>(heap + 8), names = file_.At<uint64_t>(heap + 24);
  if (!file_.Fits(names, names_size)) return Damaged("names of a group outside the file", heap);
  std::vector<uint64_t> nodes{tree};
  while (!nodes.empty()) {
    const uint64_t node = nodes.back();
    nodes.pop_back();
    if (!seen_.insert(node).second) return Damaged("a tree that leads to itself", node);
    if (!file_.Has(node, "TREE") || file_.At<uint8_t>(node + 4) != 0) return Damaged("no group", node);
    const bool leaf = file_.At<uint8_t>(node + 5) == 0;
    const uint64_t entries = file_.At<uint16_t>(node + 6);
    if (!file_.Fits(node, 24 + entries * 16)) return Damaged("a cut group", node);
    // In reverse, for what is on top of the stack comes first.
    for (uint64_t i = 0; i < entries; ++i) {
      const uint64_t k = leaf ? i : entries - 1 - i;
      const uint64_t child = file_.At<uint64_t>(node + 32 + k * 16);
      if (!leaf) {
        nodes.push_back(child);
      } else if (Status s = ReadSymbols(object, child, names, names_size); !s) {
        return s;
      }
    }
  }
  return {};
}

Status Hdf5Reader::ReadSymbols(uint32_t object, uint64_t node, uint64_t names, uint64_t names_size) {
  constexpr uint64_t kEntry = 40;
  if (!file_.Has(node, "SNOD") || !seen_.insert(node).second) return Damaged("no entries of a group", node);
  const uint64_t count = file_.At<uint16_t>(node + 6);
  if (!file_.Fits(node, 8 + count * kEntry)) return Damaged("cut entries of a group", node);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t entry = node + 8 + i * kEntry, name = file_.At<uint64_t>(entry);
    if (name >= names_size) return Damaged("a name outside its group", entry);
    if (file_.At<uint32_t>(entry + 16) == 2) continue;  // a soft link: its target has a name of its own
    const std::string_view text = file_.Text(names + name, std::min(names_size - name, kLongestName));
    Add(object, text, file_.At<uint64_t>(entry + 8));
  }
  return {};
}

void Hdf5Reader::ReadLink(uint32_t object, uint64_t at) {
  const int flags = file_.At<uint8_t>(at + 1);
  uint64_t next = at + 2;
  const int type = (flags & 8) ? file_.At<uint8_t>(next++) : 0;
  if (flags & 4) next += 8;   // the order of creation
  if (flags & 16) next += 1;  // the character set
  const uint64_t width = uint64_t{1} << (flags & 3), length = file_.Number(next, width);
  next += width;
  if (type == 0 && length <= kLongestName && file_.Fits(next, length + 8))
    Add(object, file_.Slice(next, length), file_.At<uint64_t>(next + length));
}

// Text of any length lies in a heap of the whole file: length, address of its collection, number in it.
std::string_view Hdf5Reader::HeapText(uint64_t reference) const {
  const uint64_t length = file_.At<uint32_t>(reference), heap = file_.At<uint64_t>(reference + 4);
  const uint32_t wanted = file_.At<uint32_t>(reference + 12);
  if (!file_.Has(heap, "GCOL") || length > kLongestName) return {};
  const uint64_t size = file_.At<uint64_t>(heap + 8);
  if (!file_.Fits(heap, size) || size > kLargestHeap) return {};  // each text walks through its collection
  for (uint64_t at = heap + 16; at + 16 <= heap + size;) {
    const uint32_t index = file_.At<uint16_t>(at);
    const uint64_t bytes = file_.At<uint64_t>(at + 8);
    if (index == 0 || bytes > size) break;
    if (index == wanted) return bytes >= length ? file_.Slice(at + 16, length) : std::string_view();
    at += 16 + (bytes + 7) / 8 * 8;
  }
  return {};
}

void Hdf5Reader::ReadAttribute(uint32_t object, uint64_t at, uint64_t size) {
  const int version = file_.At<uint8_t>(at);
  const auto padded = [version](uint64_t length) { return version == 1 ? (length + 7) / 8 * 8 : length; };
  const uint64_t name_size = file_.At<uint16_t>(at + 2);
  const uint64_t type = at + (version == 3 ? 9 : 8) + padded(name_size);
  const uint64_t space = type + padded(file_.At<uint16_t>(at + 4));
  const uint64_t data = space + padded(file_.At<uint16_t>(at + 6));
  const std::string_view name = file_.Text(at + (version == 3 ? 9 : 8), name_size);
  if (version < 1 || version > 3 || name != "name" || data >= at + size) return;
  const int kind = file_.At<uint8_t>(type) & 15;
  if (kind == 9) objects_[object].name_attribute = HeapText(data);
  if (kind == 3) {
    const std::string_view text = file_.Slice(data, std::min<uint64_t>(at + size - data, kLongestName));
    objects_[object].name_attribute = text.substr(0, std::min<size_t>(text.find('\0'), text.size()));
  }
}

}  // namespace

bool IsHdf5(std::string_view bytes) { return bytes.starts_with(kSignature); }

Result<std::vector<Hdf5Object>> ReadHdf5(std::string_view bytes, std::string_view path) {
  return Hdf5Reader(bytes, path).Run();
}

}  // namespace tfprof
