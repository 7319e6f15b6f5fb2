// SPDX-License-Identifier: BSD-3-Clause
#include "formula/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "formula/function_list.hpp"
#include "formula/lexer.hpp"
#include "formula/table.hpp"

namespace taut::formula {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const ParseContext& context, Scope& scope, Graph& graph,
         Problems& problems)
      : lexer_{text}, context_{context}, scope_{scope}, graph_{graph}, problems_{problems} {
    advance();
  }

  std::optional<NodeId> run() {
    if (token_.kind == Token::Kind::end) {
      report(token_.offset, "the expression is empty", "write a number or an expression");
      return {};
    }
    NodeId result = expression();
    while (!given_up_ && token_.kind != Token::Kind::end) {
      // something is left over: say what, then go on behind it to find further mistakes
      unexpected("an operator (+ - * / ^) or the end");
      if (is_symbol(')') || is_symbol(',')) advance();
      if (token_.kind != Token::Kind::end) result = expression();
    }
    if (failed_) return {};
    return result;
  }

 private:
  /// One level of nesting; false at the limit.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_{parser} { ++parser_.depth_; }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  // expression = term { (+|-) term }
  NodeId expression() {
    NodeId left = term();
    while (is_symbol('+') || is_symbol('-')) {
      const Op op = token_.symbol == '+' ? Op::add : Op::sub;
      advance();
      left = make(op, left, term());
    }
    return left;
  }

  // term = signed { (*|/) signed }
  NodeId term() {
    NodeId left = with_sign();
    while (is_symbol('*') || is_symbol('/')) {
      const Op op = token_.symbol == '*' ? Op::mul : Op::div;
      const std::size_t at = token_.offset;
      advance();
      if (op == Op::mul && is_symbol('*')) {
        report(at, "'**' is not an operator", "write a power as x^2");
        advance();
      }
      left = make(op, left, with_sign());
    }
    return left;
  }

  // signed = { + | - } power
  NodeId with_sign() {
    bool negative = false;
    for (; is_symbol('+') || is_symbol('-'); advance()) negative ^= token_.symbol == '-';
    const NodeId value = power();
    return negative ? make(Op::neg, value) : value;
  }

  // power = primary [ ^ signed ]
  NodeId power() {
    const NodeId base = primary();
    if (!is_symbol('^')) return base;
    const Level level{*this};
    if (too_deep()) return poison();
    advance();
    return make(Op::pow, base, with_sign());
  }

  NodeId primary() {
    const Level level{*this};
    if (too_deep()) return poison();
    const Token token = token_;
    switch (token.kind) {
      case Token::Kind::number:
        advance();
        if (token_.kind == Token::Kind::name && token_.offset == token.offset + token.text.size()) {
          report(token.offset,
                 fmt::format("'{}{}' is neither a number nor a name", token.text, token_.text),
                 fmt::format("write the product as {}*{}", token.text, token_.text));
          advance();
        }
        return graph_.constant(token.value);
      case Token::Kind::instance:
        advance();
        return scope_.instance_number(token.value, graph_);
      case Token::Kind::name:
        advance();
        if (token.primes > 0) return derivative(token, token.primes);
        return is_symbol('(') ? call(token) : name(token);
      case Token::Kind::symbol:
        if (token.symbol == '(') return parenthesis();
        break;
      case Token::Kind::bad:
        report(token.offset, token.what, token.remedy);
        advance();
        // what it stood in front of may still be meant as the operand
        return starts_operand() ? primary() : poison();
      case Token::Kind::end:
        break;
    }
    unexpected("a number, a name or '('");
    skip();
    return poison();
  }

  NodeId parenthesis() {
    const std::size_t at = token_.offset;
    advance();
    const NodeId inside = expression();
    close(at);
    return inside;
  }

  /// Reads the ')' that belongs to the '(' at `opened`.
  void close(std::size_t opened) {
    if (given_up_) return;
    if (!is_symbol(')') && token_.kind != Token::Kind::end) {
      unexpected("an operator (+ - * / ^) or ')'");
      skip();
      while (is_symbol(',')) {
        advance();
        skip();
      }
    }
    if (is_symbol(')')) {
      advance();
    } else {
      report(opened, "this '(' is never closed", "add the missing ')'");
    }
  }

  NodeId name(const Token& token) {
    if (const auto node = scope_.name(token.text, place(token.offset), graph_)) return *node;
    if (token.text == "pi") return graph_.constant(std::numbers::pi);
    if (token.text == "e") return graph_.constant(std::numbers::e);
    if (const Function* f = find_function(token.text)) {
      report(token.offset, fmt::format("'{}' is a function", token.text),
             fmt::format("write {}", f->usage()));
      return poison();
    }
    if (const auto table = scope_.table(token.text)) {
      report(token.offset, fmt::format("'{}' is a table", token.text),
             fmt::format("write {}({})", token.text, table->axes() == 1 ? "x" : "x, y"));
      return poison();
    }
    unknown(token, "name");
    return poison();
  }

  NodeId call(const Token& token) {
    if (token.text == "v") return velocity();
    if (token.text == "der") return derivative_of_order();
    const std::size_t opened = token_.offset;
    const Function* function = find_function(token.text);
    const std::shared_ptr<const Table> table =
        function == nullptr ? scope_.table(token.text) : nullptr;
    if (function == nullptr && table == nullptr) {
      const auto of_names = scope_.functions_of_names();
      if (std::find(of_names.begin(), of_names.end(), token.text) != of_names.end())
        return function_of_name(token);
      unknown_function(token);
    }

    advance();
    std::array<NodeId, 3> argument{};
    int count = 0;
    if (!is_symbol(')')) {
      while (!given_up_) {
        const NodeId value = expression();
        if (count < 3) argument[static_cast<std::size_t>(count)] = value;
        ++count;
        if (!is_symbol(',')) break;
        advance();
      }
    }
    close(opened);
    if (given_up_) return poison();
    if (table != nullptr) return look_up(token, table, argument, count);
    if (function == nullptr) return poison();
    if (count != function->arguments) {
      report(token.offset,
             fmt::format("{} takes {} argument{}, not {}", function->name, function->arguments,
                         function->arguments == 1 ? "" : "s", count),
             fmt::format("write {}", function->usage()));
      return poison();
    }
    if (function->name == "hypot") {
      return make(Op::sqrt, make(Op::add, make(Op::mul, argument[0], argument[0]),
                                 make(Op::mul, argument[1], argument[1])));
    }
    return make(function->op, argument[0], function->arguments > 1 ? argument[1] : no_node,
                function->arguments > 2 ? argument[2] : no_node);
  }

  NodeId look_up(const Token& token, const std::shared_ptr<const Table>& table,
                 const std::array<NodeId, 3>& argument, int count) {
    const bool one = table->axes() == 1;
    if (table->number() == Table::stand_in) return poison();
    if (count != table->axes()) {
      report(token.offset,
             fmt::format("the table {} has {}, not {}", token.text,
                         one ? "one argument" : "two arguments", count),
             fmt::format("write {}({})", token.text, one ? "x" : "x, y"));
      return poison();
    }
    return table_value(graph_, table, argument[0], one ? no_node : argument[1]);
  }

  // v(coordinate)
  NodeId velocity() {
    const std::size_t opened = token_.offset;
    advance();
    const Token coordinate = token_;
    if (coordinate.kind != Token::Kind::name) {
      report(coordinate.offset, "v(...) takes the name of a coordinate",
             "write v(q) for the velocity of q");
      skip();
      close(opened);
      return poison();
    }
    advance();
    close(opened);
    if (const auto node = scope_.velocity(coordinate.text, place(coordinate.offset), graph_)) {
      return *node;
    }
    unknown(coordinate, "coordinate");
    return poison();
  }

  // function(name)
  NodeId function_of_name(const Token& function) {
    const std::size_t opened = token_.offset;
    advance();
    const Token argument = token_;
    if (argument.kind != Token::Kind::name) {
      report(argument.offset, fmt::format("{}(...) takes a name", function.text),
             fmt::format("write {0}(elbow) where elbow is the name of a {1}", function.text,
                         function.text == "lambda" ? "rod, joint or constraint" : "joint"));
      skip();
      close(opened);
      return poison();
    }
    advance();
    std::string name{argument.text};
    // constraints of elements without a name are called "rod 1", those of joints "pin x"
    while (function.text == "lambda" &&
           (token_.kind == Token::Kind::name || token_.kind == Token::Kind::number)) {
      name += fmt::format(" {}", token_.text);
      advance();
    }
    close(opened);
    if (const auto node = scope_.of_name(function.text, name, place(argument.offset), graph_))
      return *node;
    unknown(argument, "joint");
    return poison();
  }

  // name ' { ' }
  NodeId derivative(const Token& token, int order) {
    if (const auto node = scope_.derivative(token.text, order, place(token.offset), graph_)) {
      return *node;
    }
    if (scope_.has_derivatives()) {
      unknown(token, "name");
    } else {
      report(token.offset,
             fmt::format("'{}' is differentiated, which only models with [jets] allow", token.text),
             fmt::format("write v({0}) for the velocity of {0}", token.text));
    }
    return poison();
  }

  // der(name, order)
  NodeId derivative_of_order() {
    const std::size_t opened = token_.offset;
    advance();
    const Token unknown_name = token_;
    if (unknown_name.kind == Token::Kind::name) advance();
    const bool has_comma = is_symbol(',');
    if (has_comma) advance();
    const Token order = token_;
    constexpr double highest = 1e6;
    if (unknown_name.kind != Token::Kind::name || unknown_name.primes > 0 || !has_comma ||
        order.kind != Token::Kind::number || order.value != std::floor(order.value) ||
        order.value < 0.0 || order.value > highest) {
      report(unknown_name.offset, "der(...) takes the name of an unknown and a whole number",
             "write der(y, 3) for the third derivative of y");
      while (token_.kind != Token::Kind::end && !is_symbol(')') && !given_up_) advance();
      close(opened);
      return poison();
    }
    advance();
    close(opened);
    return derivative(unknown_name, static_cast<int>(order.value));
  }

  void unknown_function(const Token& token) {
    if (const std::string meant = function_meant_by(token.text); !meant.empty()) {
      report(token.offset, fmt::format("unknown function '{}'", token.text),
             fmt::format("did you mean '{}'?", meant));
    } else if (scope_.name(token.text, place(token.offset), graph_)) {
      report(token.offset, fmt::format("'{}' is not a function", token.text),
             fmt::format("write the product as {}*(...)", token.text));
    } else if (const std::string near = nearest_name(token.text, scope_.candidates());
               !near.empty() && scope_.table(near) != nullptr) {
      report(token.offset, fmt::format("unknown function '{}'", token.text),
             fmt::format("did you mean '{}'?", near));
    } else {
      report(token.offset, fmt::format("unknown function '{}'", token.text),
             fmt::format("the functions are{} and v(coordinate)", names_of_functions()));
    }
  }

  /// Each unknown name is reported once per text.
  void unknown(const Token& token, std::string_view kind) {
    failed_ = true;
    if (std::find(reported_.begin(), reported_.end(), token.text) != reported_.end()) return;
    reported_.push_back(token.text);
    if (candidates_.empty()) candidates_ = scope_.candidates();
    std::string remedy{"define it in the model, or use a name that it defines"};
    if (std::find(candidates_.begin(), candidates_.end(), token.text) != candidates_.end())
      remedy = fmt::format("v(...) takes a coordinate; write {} as it is", token.text);
    else if (const std::string moving = meant_as_velocity(token.text); !moving.empty())
      remedy = fmt::format("write the velocity of {} as v({})", moving, moving);
    else if (const std::string nearest = nearest_name(token.text, candidates_); !nearest.empty())
      remedy = fmt::format("did you mean '{}'?", nearest);
    report(token.offset, fmt::format("unknown {} '{}'", kind, token.text), remedy);
  }

  /// The name q where vq, dq, qdot, q.v and the like stand for its velocity elsewhere; else empty.
  [[nodiscard]] std::string meant_as_velocity(std::string_view text) const {
    const auto known = [&](std::string_view name) {
      return std::find(candidates_.begin(), candidates_.end(), name) != candidates_.end();
    };
    for (const std::string_view before : {"v_", "d_", "v", "d", "w"})
      if (text.starts_with(before) && known(text.substr(before.size())))
        return std::string{text.substr(before.size())};
    for (const std::string_view behind : {"_dot", "dot", ".v", "_v", "_t", "d", "v"})
      if (text.ends_with(behind) && known(text.substr(0, text.size() - behind.size())))
        return std::string{text.substr(0, text.size() - behind.size())};
    return {};
  }

  /// 1 kg: one mistake, not an operator that is missing and a name that is unknown.
  bool unit() {
    if (token_.kind != Token::Kind::name || before_ != Token::Kind::number || !is_unit(token_.text))
      return false;
    if (candidates_.empty()) candidates_ = scope_.candidates();
    if (std::find(candidates_.begin(), candidates_.end(), token_.text) != candidates_.end())
      return false;
    report(
        token_.offset, fmt::format("a unit, '{}', stands behind a number", token_.text),
        "a unit stands behind a number that is the whole value, \"30 deg\"; in expressions write "
        "numbers without units, in kg, m, s, N and rad, and products with '*'");
    while (token_.kind != Token::Kind::end && !is_symbol(',') && !is_symbol(')') && !given_up_)
      advance();
    return true;
  }

  void unexpected(std::string_view wanted) {
    if (given_up_ || unit()) return;
    if (token_.kind == Token::Kind::end) {
      report(token_.offset, "the expression ends too early", fmt::format("add {}", wanted));
    } else if (token_.kind == Token::Kind::bad) {
      report(token_.offset, token_.what, token_.remedy);
      advance();
    } else if (is_comparison()) {
      report(token_.offset, fmt::format("'{}' does not belong in an expression", token_.text),
             is_symbol('=') ? "write an equation as left - right: y - 1 for y = 1; compare with "
                              "less(a, b), which is 1 if a < b and else 0"
                            : "compare with less(a, b), which is 1 if a < b and else 0, inside "
                              "select(c, x, y)");
      while (is_comparison()) advance();
    } else if (token_.kind != Token::Kind::symbol) {
      report(token_.offset, fmt::format("'{}' stands where {} is expected", token_.text, wanted),
             "write products with '*' and separate arguments with ','");
    } else {
      report(token_.offset, fmt::format("'{}' stands where {} is expected", token_.text, wanted),
             "check the parentheses and operators around it");
    }
  }

  /// Goes to the ',' or ')' that ends the present argument.
  void skip() {
    int open = 0;
    while (token_.kind != Token::Kind::end && !given_up_) {
      if (is_symbol('(')) ++open;
      if (open == 0 && (is_symbol(',') || is_symbol(')'))) return;
      if (is_symbol(')')) --open;
      advance();
    }
  }

  bool too_deep() {
    if (given_up_) return true;
    if (depth_ <= max_depth) return false;
    report(token_.offset, fmt::format("nested deeper than {} levels", max_depth),
           "name parts of the expression in [definitions]");
    give_up();
    return true;
  }

  NodeId make(Op op, NodeId a, NodeId b = no_node, NodeId c = no_node) {
    if (given_up_) return poison();
    if (graph_.size() >= max_nodes) {
      report(token_.offset, fmt::format("the formulas have more than {} operations", max_nodes),
             "split the model, or repeat a small element instead of writing a large one");
      give_up();
      return poison();
    }
    return graph_.make(op, a, b, c);
  }

  /// Stands for a part that was reported; nothing is returned then.
  NodeId poison() {
    failed_ = true;
    return graph_.constant(1.0);
  }

  void report(std::size_t offset, std::string what, std::string remedy) {
    failed_ = true;
    if (given_up_) return;
    problems_.add(place(offset), context_.where, std::move(what), std::move(remedy));
    if (++reports_ >= max_reports) give_up();
  }

  void give_up() {
    given_up_ = true;
    failed_ = true;
    token_ = lexer_.end();
  }

  [[nodiscard]] Position place(std::size_t offset) { return lexer_.place(offset, context_.at); }
  [[nodiscard]] bool is_symbol(char symbol) const {
    return token_.kind == Token::Kind::symbol && token_.symbol == symbol;
  }
  [[nodiscard]] bool starts_operand() const {
    return token_.kind == Token::Kind::number || token_.kind == Token::Kind::instance ||
           token_.kind == Token::Kind::name || token_.kind == Token::Kind::bad || is_symbol('(');
  }
  [[nodiscard]] bool is_comparison() const {
    return is_symbol('<') || is_symbol('>') || is_symbol('=') || is_symbol('!');
  }
  void advance() {
    before_ = token_.kind;
    if (!given_up_) token_ = lexer_.next();
  }

  static constexpr int max_reports = 20;  // of one text: what follows is noise

  Lexer lexer_;
  const ParseContext& context_;
  Scope& scope_;
  Graph& graph_;
  Problems& problems_;
  Token token_;
  Token::Kind before_ = Token::Kind::end;  // of the token before it
  int depth_ = 0;
  int reports_ = 0;
  bool failed_ = false;
  bool given_up_ = false;
  std::vector<std::string_view> reported_;
  std::vector<std::string> candidates_;
};

}  // namespace

std::optional<NodeId> parse(std::string_view text, const ParseContext& context, Scope& scope,
                            Graph& graph, Problems& problems) {
  if (text.size() > max_length) {
    problems.add(
        context.at, context.where,
        fmt::format("the expression has {} characters, more than {}", text.size(), max_length),
        "name parts of it in [definitions]");
    return {};
  }
  return Parser{text, context, scope, graph, problems}.run();
}

}  // namespace taut::formula
