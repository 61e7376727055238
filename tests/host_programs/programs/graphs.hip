// Graphs: nodes and edges in arrays of the program's, and nodes that change within a node.
#include <hip/hip_runtime.h>

#include "check.h"
#define OK(call) CHECK((call) == hipSuccess)

__global__ void add(int *x, int y) { *x += y; }
__global__ void subtract(int *x, int y) { *x -= y; }

// A kernel's node of a graph within a graph within a graph is found by its function, and gets another one.
static void change_within_a_node() {
  int *value, one = 1;
  OK(hipMalloc(&value, sizeof *value));
  OK(hipMemset(value, 0, sizeof *value));
  hipGraph_t graphs[3];
  for (hipGraph_t &graph : graphs) OK(hipGraphCreate(&graph, 0));
  void *arguments[] = {&value, &one};
  hipKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(add), params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  hipGraphNode_t node, inner, outer;
  OK(hipGraphAddKernelNode(&node, graphs[2], nullptr, 0, &params));
  OK(hipGraphAddChildGraphNode(&inner, graphs[1], nullptr, 0, graphs[2]));
  OK(hipGraphAddChildGraphNode(&outer, graphs[0], nullptr, 0, graphs[1]));

  hipGraph_t within = graphs[0];
  size_t count = 1;
  for (int depth = 0; depth < 2; depth++) {
    OK(hipGraphGetNodes(within, &node, &count));
    OK(hipGraphChildGraphNodeGetGraph(node, &within));
  }
  OK(hipGraphGetNodes(within, &node, &count));
  hipKernelNodeParams now;
  OK(hipGraphKernelNodeGetParams(node, &now));
  CHECK(now.func == reinterpret_cast<void *>(add));
  now.func = reinterpret_cast<void *>(subtract);
  OK(hipGraphKernelNodeSetParams(node, &now));

  hipGraphExec_t executable;
  OK(hipGraphInstantiate(&executable, graphs[0], nullptr, nullptr, 0));
  OK(hipGraphLaunch(executable, nullptr));
  int result = 0;
  OK(hipMemcpy(&result, value, sizeof result, hipMemcpyDeviceToHost));
  CHECK(result == -1);
}

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
  change_within_a_node();
  puts("PASS");
}
