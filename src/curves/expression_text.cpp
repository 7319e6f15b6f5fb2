// SPDX-License-Identifier: BSD-3-Clause
#include "curves/expression_text.hpp"

#include <fmt/format.h>

#include <unordered_set>
#include <vector>

#include "formula/table.hpp"

namespace taut {
namespace {

using formula::Graph;
using formula::Node;
using formula::NodeId;
using formula::Op;

// how strongly an expression holds together
enum Binding : int { sum = 1, product = 2, sign = 3, power = 4, whole = 5 };

class ExpressionPrinter {
 public:
  ExpressionPrinter(const Graph& graph, const std::function<std::string(int)>& name_of_input,
                    std::size_t most)
      : graph_{graph}, name_of_input_{name_of_input}, most_{most} {}

  void print(NodeId id, int needed) {
    if (text.size() > most_) return;  // shared parts would make the whole exponentially long
    const Node& node = graph_[id];
    const int binding = binding_of(node);
    if (binding < needed) text += '(';
    print_inside(node);
    if (binding < needed) text += ')';
  }

  std::string text;

 private:
  static int binding_of(const Node& node) {
    switch (node.op) {
      case Op::constant:
        return node.value < 0.0 ? sign : whole;
      case Op::add:
      case Op::sub:
        return sum;
      case Op::mul:
      case Op::div:
        return product;
      case Op::neg:
        return sign;
      case Op::pow:
        return power;
      default:
        return whole;
    }
  }

  void binary(const Node& node, const char* sign_between, int left, int right) {
    print(node.a, left);
    text += sign_between;
    print(node.b, right);
  }

  void print_inside(const Node& node) {
    switch (node.op) {
      case Op::constant:
        text += fmt::format("{:.6g}", node.value);
        return;
      case Op::input:
        text += name_of_input_(node.input.index);
        return;
      case Op::add:
        if (graph_[node.b].op == Op::neg) {
          print(node.a, sum);
          text += " - ";
          print(graph_[node.b].a, product);
          return;
        }
        return binary(node, " + ", sum, sum);
      case Op::sub:
        return binary(node, " - ", sum, product);
      case Op::mul:
        if (node.a == node.b) {
          print(node.a, whole);
          text += "^2";
          return;
        }
        return binary(node, "*", product, product);
      case Op::div:
        return binary(node, "/", product, sign);
      case Op::neg:
        text += '-';
        return print(node.a, product);
      case Op::pow:
        return binary(node, "^", whole, whole);
      default:
        break;
    }
    if (node.op == Op::piece) return print_table(node);
    text += name_of(node.op);
    text += '(';
    print(node.a, 0);
    for (const NodeId more : {node.b, node.c}) {
      if (more == formula::no_node) break;
      text += ", ";
      print(more, 0);
    }
    text += ')';
  }

  void print_table(const Node& node) {
    const formula::Table& table = *graph_.table(node.lookup.table);
    text += table.name();
    const std::string letters =
        std::string(node.lookup.order_x, 'x') + std::string(node.lookup.order_y, 'y');
    if (!letters.empty()) text += "_" + letters;
    text += '(';
    print(node.a, 0);
    if (table.axes() == 2) {
      text += ", ";
      print(node.b, 0);
    }
    text += ')';
  }

  static const char* name_of(Op op) {
    switch (op) {
      case Op::sqrt:
        return "sqrt";
      case Op::exp:
        return "exp";
      case Op::log:
        return "log";
      case Op::sin:
        return "sin";
      case Op::cos:
        return "cos";
      case Op::tan:
        return "tan";
      case Op::asin:
        return "asin";
      case Op::acos:
        return "acos";
      case Op::atan:
        return "atan";
      case Op::atan2:
        return "atan2";
      case Op::sinh:
        return "sinh";
      case Op::cosh:
        return "cosh";
      case Op::tanh:
        return "tanh";
      case Op::abs:
        return "abs";
      case Op::sign:
        return "sign";
      case Op::min:
        return "min";
      case Op::max:
        return "max";
      case Op::floor:
        return "floor";
      case Op::less:
        return "less";
      default:
        return "select";
    }
  }

  const Graph& graph_;
  const std::function<std::string(int)>& name_of_input_;
  std::size_t most_;
};

// operations that the expression is made of, shared ones counted once
std::size_t operations(const Graph& graph, NodeId root) {
  std::unordered_set<NodeId> seen;
  std::vector<NodeId> open{root};
  std::size_t count = 0;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (id == formula::no_node || !seen.insert(id).second) continue;
    const Node& node = graph[id];
    if (node.op != Op::constant && node.op != Op::input) ++count;
    for (const NodeId operand : {node.a, node.b, node.c}) open.push_back(operand);
  }
  return count;
}

}  // namespace

std::string expression_text(const Graph& graph, NodeId root,
                            const std::function<std::string(int)>& name_of_input,
                            std::size_t most) {
  ExpressionPrinter printer{graph, name_of_input, most};
  printer.print(root, 0);
  if (printer.text.size() <= most) return std::move(printer.text);
  return fmt::format("{}... ({} operations in all)", printer.text.substr(0, most),
                     operations(graph, root));
}

}  // namespace taut
