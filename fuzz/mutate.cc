#include "mutate.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "mutate_parts.h"
#include "wire_tree.h"

namespace tfprof {
namespace {

constexpr uint64_t kEdges[] = {0,
                               1,
                               2,
                               3,
                               7,
                               19,
                               127,
                               128,
                               255,
                               65535,
                               65536,
                               1 << 20,
                               1u << 31,
                               (1u << 31) - 1,
                               0xFFFFFFFF,
                               1ull << 32,
                               1ull << 40,
                               1ull << 62,
                               (1ull << 63) - 1,
                               1ull << 63,
                               ~0ull,
                               ~0ull - 1,
                               1'000'000'000};

void MutateNumber(WireField* field, Random& random) {
  switch (Below(5, random)) {
    case 0:
      field->value = OneOf(kEdges, random);
      break;
    case 1:
      ++field->value;
      break;
    case 2:
      --field->value;
      break;
    case 3:
      field->value ^= 1ull << Below(64, random);
      break;
    default:
      field->value = Below(64, random);
  }
}

void MutateContent(WireField* field, size_t room, Random& random, const MutateBytes& mutate_bytes) {
  if (field->type != WireType::kBytes) return MutateNumber(field, random);
  if (field->is_message && Below(3, random) != 0) {  // one field less, or none
    if (Below(2, random) == 0) field->children.clear();
    if (!field->children.empty())
      field->children.erase(&OneOf(field->children, random) - field->children.data() +
                            field->children.begin());
    return;
  }
  std::string bytes = field->is_message ? WireOf(field->children) : std::move(field->bytes);
  field->bytes = mutate_bytes(bytes, bytes.size() + room);
  field->is_message = false;
  field->children.clear();
}

// The list that holds a field, and where in it.
struct Place {
  std::vector<WireField>* list;
  size_t at;
};

std::vector<Place> Places(std::vector<WireField>* fields) {
  std::vector<Place> out;
  std::vector<std::vector<WireField>*> open = {fields};
  while (!open.empty()) {
    std::vector<WireField>* list = open.back();
    open.pop_back();
    for (size_t i = 0; i < list->size(); ++i) {
      out.push_back({list, i});
      if ((*list)[i].is_message) open.push_back(&(*list)[i].children);
    }
  }
  return out;
}

void Insert(const Place& place, WireField field) {
  place.list->insert(place.list->begin() + static_cast<std::ptrdiff_t>(place.at), std::move(field));
}

// The same content in another place of the same kind: names that refer to one another come about so.
void CopyContent(const WireField& from, WireField* to) {
  const uint32_t number = to->number;
  *to = from;
  to->number = number;
}

constexpr WireType kTypes[] = {WireType::kVarint, WireType::kFixed64, WireType::kBytes, WireType::kFixed32};

void MutateTree(std::vector<WireField>* tree, size_t room, Random& random, const MutateBytes& mutate_bytes) {
  const std::vector<Place> places = Places(tree);
  if (places.empty()) {
    tree->push_back({static_cast<uint32_t>(1 + Below(12, random)), WireType::kBytes, 0, "", false, {}});
    return;
  }
  const Place place = OneOf(places, random), other = OneOf(places, random);
  WireField& field = (*place.list)[place.at];
  WireField copy = (*other.list)[other.at];
  switch (Below(12, random)) {
    case 0:
      place.list->erase(place.list->begin() + static_cast<std::ptrdiff_t>(place.at));
      break;
    case 1:
      Insert(place, WireField(field));
      break;
    case 2:
      field = std::move(copy);
      break;
    case 3:
      Insert(place, std::move(copy));
      break;
    case 4:
    case 5:
      CopyContent(copy, &field);
      break;
    case 6:
      std::swap(field, OneOf(*place.list, random));
      break;
    case 7:
      field.number = static_cast<uint32_t>(1 + Below(Below(4, random) == 0 ? (1 << 29) - 1 : 24, random));
      break;
    case 8:
      if (field.is_message) field.bytes = WireOf(field.children);
      field.is_message = false;
      field.type = OneOf(kTypes, random);
      break;
    default:
      MutateContent(&field, room, random, mutate_bytes);
  }
}

}  // namespace

std::string MutateWire(std::string_view bytes, size_t most, Random& random, const MutateBytes& mutate_bytes) {
  std::optional<std::vector<WireField>> tree;
  if (Below(16, random) != 0) tree = ParseWireTree(bytes);
  if (!tree) return mutate_bytes(bytes, most);
  const size_t room = most > bytes.size() ? most - bytes.size() : 0;
  for (size_t i = Below(3, random) + 1; i > 0; --i) MutateTree(&*tree, room, random, mutate_bytes);
  std::string out = WireOf(*tree);
  return out.size() <= most ? out : mutate_bytes(bytes, most);
}

std::string Mutate(Structure structure, std::string_view bytes, size_t most, Random& random,
                   const MutateBytes& mutate_bytes) {
  switch (structure) {
    case Structure::kWire:
      return MutateWire(bytes, most, random, mutate_bytes);
    case Structure::kPacked:
      return MutatePacked(bytes, most, random, mutate_bytes);
    case Structure::kRecords:
      return MutateRecords(bytes, most, random, mutate_bytes);
    case Structure::kEntries:
      return MutateEntries(bytes, most, random, mutate_bytes);
    case Structure::kArchive:
      return MutateArchive(bytes, most, random, mutate_bytes);
    case Structure::kText:
      break;
  }
  return mutate_bytes(bytes, most);
}

std::string CrossOver(Structure structure, std::string_view bytes, std::string_view other, Random& random) {
  std::optional<std::vector<WireField>> into, from;
  if (structure == Structure::kWire || structure == Structure::kPacked) {
    into = ParseWireTree(bytes);
    from = ParseWireTree(other);
  }
  if (into && from && !into->empty() && !from->empty()) {
    const std::vector<Place> places = Places(&*into), gives = Places(&*from);
    const Place place = OneOf(places, random), gift = OneOf(gives, random);
    const WireField& field = (*gift.list)[gift.at];
    if (Below(2, random) == 0) {
      CopyContent(field, &(*place.list)[place.at]);
    } else {
      Insert(place, field);
    }
    return WireOf(*into);
  }
  // The beginning of the one, the end of the other.
  return std::string(bytes.substr(0, Below(bytes.size() + 1, random))) +
         std::string(other.substr(Below(other.size() + 1, random)));
}

}  // namespace tfprof
