// Control flow of both generations, and what a session or a function adds at its edges.
#include "infer/rule.h"

namespace tfprof {
namespace {

void Switch(RuleContext& c) {
  for (size_t i = 0; i < c.outputs(); ++i) c.OutFact(i, c.Fact(0));
}

// The value of a loop's condition differs between rounds, its shape does not.
void LoopCond(RuleContext& c) { c.Out(Shape::Scalar()); }

void RecordedShape(RuleContext& c) {
  const std::vector<Shape> shapes = c.attrs().Shapes("_output_shapes");
  if (!shapes.empty()) c.Out(shapes[0]);
}

// Calls whose body could not be expanded: what the call itself says.
void CallShapes(RuleContext& c) {
  const std::vector<Shape> shapes = c.attrs().Shapes("output_shapes");
  for (size_t i = 0; i < shapes.size(); ++i) c.Out(i, shapes[i]);
}

void MapDefun(RuleContext& c) {
  const std::vector<Shape> shapes = c.attrs().Shapes("output_shapes");
  for (size_t i = 0; i < shapes.size(); ++i) c.Out(i, Concat(Shape{c.In(0).Dim(0)}, shapes[i]));
}

constexpr RuleRow kControlRules[] = {
    {"Switch RefSwitch _SwitchN", Switch},
    {"Enter RefEnter Exit RefExit NextIteration RefNextIteration", PassOn},
    {"LoopCond", LoopCond},
    {"NoOp ControlTrigger Assert Abort _Retval _DeviceRetval", NoOutput},
    {"_Recv _HostRecv Recv RefSelect", RecordedShape},
    {"_Send _HostSend Send", NoOutput},
    {"PartitionedCall StatefulPartitionedCall While StatelessWhile If StatelessIf Case StatelessCase "
     "RemoteCall For "
     "SymbolicGradient BatchFunction",
     CallShapes},
    {"MapDefun", MapDefun},
    {"ToBool", ScalarOutput},
};

}  // namespace

std::span<const RuleRow> ControlRules() { return kControlRules; }

}  // namespace tfprof
