// Tensor lists (loops of TensorFlow 2) and tensor arrays (of 1): the shape of an element travels with the
// handle.
#include "infer/rule.h"

namespace tfprof {
namespace {

// What the op says of an element's shape: input `i` as a shape tensor.
Shape ElementShape(const RuleContext& c, size_t i) {
  const Value* value = c.Val(i);
  if (!value || c.In(i).HasRank(0)) return {};  // a scalar -1: any shape
  return ShapeOfValue(*value);
}

Shape ElementOf(const RuleContext& c, size_t handle) {
  return c.Handle(handle) ? c.Handle(handle)->shape : Shape();
}
int64_t LengthOf(const RuleContext& c, size_t handle) {
  return c.Handle(handle) ? c.Handle(handle)->length : -1;
}

void Make(RuleContext& c, Shape element, int64_t length, bool filled = true) {
  c.Out(Shape::Scalar());
  c.OutHandle(0, {std::move(element), length, filled});
}

// The shape of elements after one of shape `item` was put into a list.
Shape WithItem(const HandleFact* list, const Shape& item) {
  if (!list) return item;
  return list->filled ? Join(list->shape, item) : Refine(item, list->shape);
}

void EmptyList(RuleContext& c) { Make(c, ElementShape(c, 0), 0, false); }
void Reserve(RuleContext& c) { Make(c, ElementShape(c, 0), c.Scalar(1).value_or(-1), false); }

void FromTensor(RuleContext& c) {
  const Shape& in = c.In(0);
  if (!in.known() || in.rank() == 0) return Make(c, ElementShape(c, 1), -1);
  Make(c, Refine(SubShape(in, 1, in.rank()), ElementShape(c, 1)), in.Dim(0));
}

void PushBack(RuleContext& c) {
  const int64_t length = LengthOf(c, 0);
  Make(c, WithItem(c.Handle(0), c.In(1)), length >= 0 ? length + 1 : -1);
}

void PopBack(RuleContext& c) {
  const int64_t length = LengthOf(c, 0);
  Make(c, ElementOf(c, 0), length > 0 ? length - 1 : -1);
  c.Out(1, Refine(ElementOf(c, 0), ElementShape(c, 1)));
}

void SetItem(RuleContext& c) { Make(c, WithItem(c.Handle(0), c.In(2)), LengthOf(c, 0)); }
void GetItem(RuleContext& c) { c.Out(Refine(ElementOf(c, 0), ElementShape(c, 2))); }

void Stack(RuleContext& c) {
  const Shape element = Refine(ElementOf(c, 0), ElementShape(c, 1));
  if (!element.known()) return;
  const int64_t fixed = c.attrs().Int("num_elements", -1);
  c.Out(WithDim(element, 0, fixed >= 0 ? fixed : LengthOf(c, 0)));
}

void Gather(RuleContext& c) {
  const Shape element = Refine(ElementOf(c, 0), ElementShape(c, 2));
  if (element.known()) c.Out(WithDim(element, 0, c.In(1).Dim(0)));
}

void ConcatList(RuleContext& c) {
  Shape element = Refine(ElementOf(c, 0), ElementShape(c, 1));
  if (element.known() && element.rank() > 0) {
    const int64_t each = element.Dim(0), length = LengthOf(c, 0);
    element.SetDim(0, each >= 0 && length >= 0 ? MulDims(each, length) : kUnknownDim);
    c.Out(0, element);
  }
  c.Out(1, Shape{LengthOf(c, 0)});
}

void Length(RuleContext& c) {
  c.Out(Shape::Scalar());
  if (LengthOf(c, 0) >= 0) c.OutValue(Value::Integer(LengthOf(c, 0)));
}

void ListElementShape(RuleContext& c) {
  const Shape element = ElementOf(c, 0);
  c.Out(Shape{element.known() ? static_cast<int64_t>(element.rank()) : kUnknownDim});
  c.OutValue(ValueOfShape(element));
}

void ResizeList(RuleContext& c) { Make(c, ElementOf(c, 0), c.Scalar(1).value_or(-1)); }
void ScatterList(RuleContext& c) {
  const Shape& in = c.In(0);
  Make(c, in.known() && in.rank() > 0 ? SubShape(in, 1, in.rank()) : ElementShape(c, 2), -1);
}
void SplitList(RuleContext& c) {
  const Shape& in = c.In(0);
  Shape element = in.known() && in.rank() > 0 ? in : Shape();
  if (element.known()) element.SetDim(0, kUnknownDim);
  Make(c, element, c.In(2).Dim(0));
}
void ConcatLists(RuleContext& c) { Make(c, Refine(ElementOf(c, 0), ElementOf(c, 1)), -1); }
void PushBackBatch(RuleContext& c) { c.Out(c.In(0)); }

// --- Tensor arrays: a resource and a scalar "flow" that orders reads and writes; the flow carries what is
// known, since graphs thread it through loops.

void Array(RuleContext& c) {
  const HandleFact fact{c.attrs().ShapeOf("element_shape").value_or(Shape()), c.Scalar(0).value_or(-1),
                        false};
  c.Out(0, Shape{2});
  c.Out(1, Shape::Scalar());
  c.OutHandle(0, fact);
  c.OutHandle(1, fact);
}

// handle, flow -> gradient's handle, flow
void ArrayGrad(RuleContext& c) {
  c.Out(0, Shape{2});
  c.Out(1, Shape::Scalar());
  if (c.Handle(1)) {
    c.OutHandle(0, *c.Handle(1));
    c.OutHandle(1, *c.Handle(1));
  }
}

HandleFact ArrayFact(const RuleContext& c, size_t flow) {
  HandleFact fact = c.Handle(0) ? *c.Handle(0) : HandleFact{{}, -1, false};
  if (c.Handle(flow) && c.Handle(flow)->filled) fact = *c.Handle(flow);
  return fact;
}

void ArrayWrite(RuleContext& c) {
  HandleFact fact = ArrayFact(c, 3);
  fact.shape = WithItem(&fact, c.In(2));
  fact.filled = true;
  c.Out(Shape::Scalar());
  c.OutHandle(0, fact);
}

void ArrayScatter(RuleContext& c) {
  HandleFact fact = ArrayFact(c, 3);
  const Shape& in = c.In(2);
  fact.shape = in.known() && in.rank() > 0 ? WithItem(&fact, SubShape(in, 1, in.rank())) : Shape();
  fact.filled = true;
  c.Out(Shape::Scalar());
  c.OutHandle(0, fact);
}

void ArrayRead(RuleContext& c) { c.Out(ArrayFact(c, 2).shape); }

void ArrayGather(RuleContext& c) {
  const Shape element = Refine(ArrayFact(c, 2).shape, c.attrs().ShapeOf("element_shape").value_or(Shape()));
  if (element.known()) c.Out(WithDim(element, 0, c.In(1).Dim(0)));
}

void ArrayConcat(RuleContext& c) {
  Shape element = ArrayFact(c, 1).shape;
  if (element.known() && element.rank() > 0) {
    element.SetDim(0, kUnknownDim);
    c.Out(0, element);
  }
  c.Out(1, Shape{kUnknownDim});
}

void ArraySize(RuleContext& c) {
  c.Out(Shape::Scalar());
  if (LengthOf(c, 0) >= 0) c.OutValue(Value::Integer(LengthOf(c, 0)));
}

constexpr RuleRow kListRules[] = {
    {"EmptyTensorList", EmptyList},
    {"TensorListReserve", Reserve},
    {"TensorListFromTensor", FromTensor},
    {"TensorListPushBack", PushBack},
    {"TensorListPopBack", PopBack},
    {"TensorListSetItem", SetItem},
    {"TensorListGetItem", GetItem},
    {"TensorListStack", Stack},
    {"TensorListGather", Gather},
    {"TensorListConcat TensorListConcatV2", ConcatList},
    {"TensorListLength", Length},
    {"TensorListElementShape", ListElementShape},
    {"TensorListResize", ResizeList},
    {"TensorListScatter TensorListScatterV2", ScatterList},
    {"TensorListSplit", SplitList},
    {"TensorListConcatLists", ConcatLists},
    {"TensorListPushBackBatch", PushBackBatch},
    {"TensorArrayV3 TensorArrayV2", Array},
    {"TensorArrayGradV3 TensorArrayGradV2", ArrayGrad},
    {"TensorArrayWriteV3 TensorArrayWriteV2", ArrayWrite},
    {"TensorArrayReadV3 TensorArrayReadV2", ArrayRead},
    {"TensorArrayGatherV3 TensorArrayGatherV2", ArrayGather},
    {"TensorArrayScatterV3 TensorArrayScatterV2", ArrayScatter},
    {"TensorArrayConcatV3 TensorArrayConcatV2", ArrayConcat},
    {"TensorArraySizeV3 TensorArraySizeV2", ArraySize},
};

}  // namespace

std::span<const RuleRow> ListRules() { return kListRules; }

}  // namespace tfprof
