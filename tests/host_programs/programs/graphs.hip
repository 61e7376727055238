// Graphs: nodes and edges in arrays of the program's.
#include <hip/hip_runtime.h>

#include "check.h"
#define OK(call) CHECK((call) == hipSuccess)

int main() {
  hipGraph_t graph;
  hipGraphNode_t first, second, third;
  OK(hipGraphCreate(&graph, 0));
  OK(hipGraphAddEmptyNode(&first, graph, nullptr, 0));
  OK(hipGraphAddEmptyNode(&second, graph, &first, 1));
  OK(hipGraphAddEmptyNode(&third, graph, &first, 1));

  size_t count = 0;
  OK(hipGraphGetNodes(graph, nullptr, &count));
  CHECK(count == 3);
  hipGraphNode_t nodes[4] = {third, third, third, third};
  count = 4;
  OK(hipGraphGetNodes(graph, nodes, &count));
  CHECK(count == 3 && nodes[0] == first && nodes[1] == second && nodes[2] == third && nodes[3] == nullptr);
  count = 1;
  nodes[1] = third;
  OK(hipGraphGetNodes(graph, nodes, &count));
  CHECK(count == 1 && nodes[0] == first && nodes[1] == third);

  OK(hipGraphGetRootNodes(graph, nullptr, &count));
  CHECK(count == 1);
  nodes[0] = nullptr;
  OK(hipGraphGetRootNodes(graph, nodes, &count));
  CHECK(count == 1 && nodes[0] == first);

  hipGraphNode_t to[2] = {};
  OK(hipGraphGetEdges(graph, nullptr, nullptr, &count));
  CHECK(count == 2);
  OK(hipGraphGetEdges(graph, nodes, to, &count));
  CHECK(count == 2 && nodes[0] == first && nodes[1] == first && to[0] == second && to[1] == third);

  count = 2;
  OK(hipGraphNodeGetDependentNodes(first, nodes, &count));
  CHECK(count == 2 && nodes[0] == second && nodes[1] == third);
  OK(hipGraphNodeGetDependencies(third, nodes, &count));
  CHECK(count == 1 && nodes[0] == first && nodes[1] == nullptr);
  CHECK(hipGraphGetNodes(nullptr, nodes, &count) == hipErrorInvalidValue);
  CHECK(hipGraphGetNodes(graph, nodes, nullptr) == hipErrorInvalidValue);
  puts("PASS");
}
