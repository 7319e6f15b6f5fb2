// SPDX-License-Identifier: BSD-3-Clause
#include "core/link_chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace taut {
namespace {

// The coordinates of a joint as one number of two or three parts; for two, processors have one.
template <int width>
struct Few {
  double part[width] = {};

  Few() = default;
  explicit Few(const double* from) { std::copy_n(from, width, part); }
  void store(double* to) const { std::copy_n(part, width, to); }
  friend Few operator+(Few a, const Few& b) {
    return each(a, [&](int i) { return a.part[i] + b.part[i]; });
  }
  friend Few operator-(Few a, const Few& b) {
    return each(a, [&](int i) { return a.part[i] - b.part[i]; });
  }
  friend Few operator*(Few a, const Few& b) {
    return each(a, [&](int i) { return a.part[i] * b.part[i]; });
  }
  friend Few operator*(Few a, double b) {
    return each(a, [&](int i) { return a.part[i] * b; });
  }
  friend double sum(const Few& a) { return std::accumulate(a.part, a.part + width, 0.0); }

  template <class F>
  static Few each(Few to, const F& value) {
    for (int i = 0; i < width; ++i) to.part[i] = value(i);
    return to;
  }
};

// Whether a link is known to be tied at both joints.
constexpr std::true_type inside{};
constexpr std::false_type any{};

template <>
struct Few<2> {
  using Pair = double __attribute__((vector_size(16)));
  Pair part{};

  Few() = default;
  explicit Few(Pair given) : part{given} {}
  explicit Few(const double* from) { std::memcpy(&part, from, sizeof part); }
  void store(double* to) const { std::memcpy(to, &part, sizeof part); }
  friend Few operator+(Few a, Few b) { return Few{a.part + b.part}; }
  friend Few operator-(Few a, Few b) { return Few{a.part - b.part}; }
  friend Few operator*(Few a, Few b) { return Few{a.part * b.part}; }
  friend Few operator*(Few a, double b) { return Few{a.part * b}; }
  friend double sum(Few a) { return a.part[0] + a.part[1]; }
};

}  // namespace

bool LinkChain::analyse(const Sparse& M, const Sparse& G) {
  runs_.assign(1, {});
  const int nq = static_cast<int>(M.rows()), nc = static_cast<int>(G.rows());
  if (nc == 0 || M.nonZeros() != nq) return false;
  for (int i = 0; i < nq; ++i)
    if (M.outerIndexPtr()[i] != i || M.innerIndexPtr()[i] != i) return false;
  width_ = find_joints(G, 2) ? 2 : 3;
  if (width_ == 3 && !find_joints(G, 3)) return false;
  if (!walk(G)) return false;
  inverse_mass_.assign(nq, 0.0);
  off_.assign(static_cast<std::size_t>(nc) + 1, 0.0);
  inverse_.assign(nc, 0.0);
  return true;
}

// Every row has the coordinates of one joint or of two, and no joint more than two rows.
bool LinkChain::find_joints(const Sparse& G, int width) {
  joints_.clear();
  free_.clear();
  joint_of_.assign(G.cols(), -1);
  for (int c = 0; c < G.rows(); ++c) {
    const int from = G.outerIndexPtr()[c], to = G.outerIndexPtr()[c + 1];
    if (to - from != width && to - from != 2 * width) return false;
    for (int at = from; at < to; at += width) {
      const int first = G.innerIndexPtr()[at];
      for (int i = 1; i < width; ++i)
        if (G.innerIndexPtr()[at + i] != first + i) return false;
      int& joint = joint_of_[first];
      if (joint < 0) {
        for (int i = 0; i < width; ++i) {
          if (joint_of_[first + i] >= 0) return false;
          joint_of_[first + i] = static_cast<int>(joints_.size());
        }
        joints_.push_back({first, {at, c}, {}});
        continue;
      }
      Joint& known = joints_[joint];
      if (known.first != first || known.two.at >= 0) return false;
      known.two = {at, c};
    }
  }
  for (int i = 0; i < G.cols(); ++i)
    if (joint_of_[i] < 0) free_.push_back(i);
  return true;
}

// The joints of a row; -1 where it has only one.
std::array<int, 2> LinkChain::joints_of(const Sparse& G, int row) const {
  const int from = G.outerIndexPtr()[row], to = G.outerIndexPtr()[row + 1];
  return {joint_of_[G.innerIndexPtr()[from]],
          to - from > width_ ? joint_of_[G.innerIndexPtr()[from + width_]] : -1};
}

// Lists the rows chain by chain, each from one end to the other; false if one is closed.
bool LinkChain::walk(const Sparse& G) {
  const int nc = static_cast<int>(G.rows());
  std::vector<bool> listed(nc, false);
  const auto end = [&](int row, int joint) -> End {
    if (joint < 0) return {};
    const Joint& j = joints_[joint];
    return {j.one.row == row ? j.one.at : j.two.at, j.first};
  };
  const auto beyond = [&](int row, int joint) {
    if (joint < 0) return -1;
    const Joint& j = joints_[joint];
    return j.one.row == row ? j.two.row : j.one.row;
  };
  for (int first = 0; first < nc; ++first) {
    auto [before, after] = joints_of(G, first);
    if (listed[first]) continue;
    if (beyond(first, before) >= 0) std::swap(before, after);
    if (beyond(first, before) >= 0) continue;  // tied at both joints: not an end
    bool tied = false;
    for (int row = first; row >= 0;) {
      listed[row] = true;
      const int next = beyond(row, after);
      append({row, end(row, before), end(row, after), tied, next >= 0});
      row = next;
      tied = true;
      before = after;
      if (row >= 0) {
        const auto [a, b] = joints_of(G, row);
        after = a == before ? b : a;
      }
    }
  }
  runs_.push_back(
      {});  // so that a cursor may step beyond the last link, as it may before the first
  return std::find(listed.begin(), listed.end(), false) == listed.end();
}

// Adds a link to the last run, if it continues it.
void LinkChain::append(const Link& link) {
  Run& last = runs_.back();
  const Link end = last.link(last.count - 1);
  const Link::Stride stride{link.row - end.row, link.before.at - end.before.at,
                            link.before.first - end.before.first};
  const auto same = [](const Link& a, const Link& b) {
    return a.row == b.row && a.before.at == b.before.at && a.before.first == b.before.first &&
           a.after.at == b.after.at && a.after.first == b.after.first;
  };
  if (runs_.size() > 1 && link.tied_before && link.tied_after && end.tied_before &&
      end.tied_after && (last.count == 1 || last.stride == stride)) {
    Link expected = end;
    expected.advance(stride, 1);
    if (same(expected, link)) {
      last.stride = stride;
      ++last.count;
      return;
    }
  }
  runs_.push_back({link, {}, 1});
}

void LinkChain::set_mass(const Sparse& M) {
  for (std::size_t i = 0; i < inverse_mass_.size(); ++i) inverse_mass_[i] = 1.0 / M.valuePtr()[i];
}

bool LinkChain::solve(const Sparse& G, const Vec& C, const Vec& r, const Vec& s, Vec& x,
                      Vec& lambda, double tolerance) {
  x.resize(r.size());
  lambda.resize(s.size());
  const Values values{G.valuePtr(), C.data(), r.data(), s.data()};
  const bool fine = width_ == 2 ? pass<2>(values, tolerance, x.data(), lambda.data())
                                : pass<3>(values, tolerance, x.data(), lambda.data());
  for (const int i : free_) x[i] = r[i] * inverse_mass_[i];
  return fine;
}

// A place in the list of links.
struct LinkChain::Cursor {
  const Run* run;
  int index;  // in the run
  Link link;

  Cursor(const Run& in, int at) : run{&in}, index{at}, link{in.link(at)} {}

  // by so many links of the run, or out of it to the next
  void forward(int by) {
    index += by;
    if (index == run->count) {
      ++run;
      index = 0;
    }
    link = run->link(index);
  }
  void backward(int by) {
    index -= by;
    if (index < 0) {
      --run;
      index = run->count - 1;
    }
    link = run->link(index);
  }
  // links of the run from here on, if they are tied at both joints
  [[nodiscard]] int inner_forward() const { return inner() ? run->count - index : 0; }
  [[nodiscard]] int inner_backward() const { return inner() ? index + 1 : 0; }
  [[nodiscard]] bool inner() const { return link.tied_before && link.tied_after; }
};

// The first pass: S is built, and eliminated from both ends towards the link in the middle.
template <int width>
class LinkChain::Elimination {
 public:
  // What one end has left to the link ahead.
  struct Half {
    double inverse = 0.0, z = 0.0;  // of the last link: 1/d, right-hand side
    Few<width> weighted;            // its entries at the joint ahead, divided by the masses
    Few<width> weight, load;        // 1/m and r of that joint
  };

  Elimination(LinkChain& chain, const Values& values, double tolerance, double* z)
      : middle{chain.runs_[1], 0},
        chain_{chain},
        values_{values},
        w_{chain.inverse_mass_.data()},
        inverse_{chain.inverse_.data()},
        off_{chain.off_.data()},
        z_{z},
        tolerance_{tolerance} {}

  // false if a pivot is refused
  bool run() {
    approach();
    return meet();
  }

  // the link in the middle, its pivot and its entry to the link behind it, and that half
  Cursor middle;
  double pivot = 0.0, off = 0.0;
  Half back;

 private:
  // row k of S, the joint `behind` towards the end that `half` comes from
  __attribute__((always_inline)) double eliminate(auto inner, int k, int row, End behind, End ahead,
                                                  bool tied, Half& half) {
    const auto [G, C, r, s] = values_;
    Few<width> Gb, Ga, weight, load;
    if (inner || tied) {
      Gb = Few<width>{G + behind.at};
    } else {
      fine_ &= std::isfinite(half.inverse);  // not a number stays so along a chain
      half = {};
      if (behind.at >= 0) {
        Gb = Few<width>{G + behind.at};
        half.weight = Few<width>{w_ + behind.first};
        half.load = Few<width>{r + behind.first};
      }
    }
    if (inner || ahead.at >= 0) {
      Ga = Few<width>{G + ahead.at};
      weight = Few<width>{w_ + ahead.first};
      load = Few<width>{r + ahead.first};
    }
    const Few<width> yb = Gb * half.weight, ya = Ga * weight;
    const double diagonal = sum(yb * Gb + ya * Ga) + C[row];
    const double right = sum(yb * half.load + ya * load) - s[row];
    const double beside = sum(half.weighted * Gb);
    const double d = diagonal - beside * beside * half.inverse;
    least_ = std::min(least_, d - tolerance_ * diagonal);
    half.z = right - beside * half.inverse * half.z;
    half.inverse = 1.0 / d;
    half.weighted = ya;
    half.weight = weight;
    half.load = load;
    inverse_[k] = half.inverse;
    z_[row] = half.z;
    return beside;
  }
  __attribute__((always_inline)) void from_front(auto inner, int k, const Link& l) {
    off_[k] = eliminate(inner, k, l.row, l.before, l.after, l.tied_before, front_);
  }
  __attribute__((always_inline)) void from_back(auto inner, int k, const Link& l) {
    off_[k + 1] = eliminate(inner, k, l.row, l.after, l.before, l.tied_after, back);
  }

  // both ends at once, so that only half of the divisions wait for one another
  __attribute__((always_inline)) void approach() {
    const Run& last = chain_.runs_[chain_.runs_.size() - 2];
    const int n = static_cast<int>(chain_.inverse_.size()), half = n / 2;
    Cursor &f = middle, b{last, last.count - 1};
    for (int k = 0, k_back = n - 1; k_back > half;) {
      const int many = std::min({f.inner_forward(), b.inner_backward(), k_back - half});
      if (many == 0) {
        from_front(any, k++, f.link);
        from_back(any, k_back--, b.link);
      }
      Link in_front = f.link, in_back = b.link;
      for (int i = 0; i < many; ++i) {
        from_front(inside, k++, in_front);
        from_back(inside, k_back--, in_back);
        in_front.advance(f.run->stride, 1);
        in_back.advance(b.run->stride, -1);
      }
      f.forward(std::max(many, 1));
      b.backward(std::max(many, 1));
    }
    if (n % 2 == 0) {
      from_front(any, half - 1, f.link);
      f.forward(1);
    }
  }

  // the middle, from both sides
  __attribute__((always_inline)) bool meet() {
    const int k = static_cast<int>(chain_.inverse_.size()) / 2;
    const Link& m = middle.link;
    from_front(any, k, m);
    if (m.tied_after) off = sum(back.weighted * Few<width>{values_.G + m.after.at});
    off_[k + 1] = off;
    const double before = 1.0 / front_.inverse;
    pivot = before - off * off * back.inverse;
    fine_ &= least_ > 0.0 && pivot > tolerance_ * before;
    return fine_;
  }

  LinkChain& chain_;
  Values values_;
  const double* w_;
  double *inverse_, *off_, *z_;
  double tolerance_;
  Half front_;
  bool fine_ = true;
  double least_ = std::numeric_limits<double>::infinity();  // pivot, above what is refused
};

// The second pass: λ and x from the middle outwards. Each link has x of the joint it was reached
// by, and of those that nothing else ties.
template <int width>
class LinkChain::Substitution {
 public:
  Substitution(const LinkChain& chain, const Values& values, double* x, double* z)
      : values_{values},
        w_{chain.inverse_mass_.data()},
        inverse_{chain.inverse_.data()},
        off_{chain.off_.data()},
        n_{static_cast<int>(chain.inverse_.size())},
        x_{x},
        z_{z} {}

  void run(const Elimination<width>& done) {
    Cursor f = done.middle, b = f;
    const Link m = f.link;
    lambda_f_ = lambda_b_ = (z_[m.row] - done.off * done.back.inverse * done.back.z) / done.pivot;
    z_[m.row] = lambda_f_;
    if (!m.tied_before) free_end(m.before, lambda_f_);
    if (!m.tied_after) free_end(m.after, lambda_f_);

    int at_f = m.before.at, at_b = m.after.at;
    f.backward(1);
    b.forward(1);
    for (int k = n_ / 2 - 1, k_back = n_ / 2 + 1; k >= 0;) {
      const int many = std::min({f.inner_backward(), b.inner_forward(), n_ - k_back});
      Link in_front = f.link, in_back = b.link;
      for (int i = 0; i < many; ++i) {
        to_front(inside, k--, in_front, at_f);
        to_back(inside, k_back++, in_back, at_b);
        at_f = in_front.before.at;
        at_b = in_back.after.at;
        in_front.advance(f.run->stride, -1);
        in_back.advance(b.run->stride, 1);
      }
      if (many == 0) {
        to_front(any, k--, f.link, at_f);
        at_f = f.link.before.at;
      }
      f.backward(std::max(many, 1));
      // an even number of links leaves one more in front
      if (many == 0 && k_back < n_) {
        to_back(any, k_back++, b.link, at_b);
        at_b = b.link.after.at;
        b.forward(1);
      } else if (many > 0) {
        b.forward(many);
      }
    }
  }

 private:
  __attribute__((always_inline)) void free_end(End end, double lambda) {
    if (end.at < 0) return;
    const Few<width> load =
        Few<width>{values_.r + end.first} - Few<width>{values_.G + end.at} * lambda;
    (load * Few<width>{w_ + end.first}).store(x_ + end.first);
  }
  __attribute__((always_inline)) void tied_end(End end, double lambda, int at_other,
                                               double lambda_other) {
    const Few<width> load = Few<width>{values_.r + end.first} -
                            Few<width>{values_.G + end.at} * lambda -
                            Few<width>{values_.G + at_other} * lambda_other;
    (load * Few<width>{w_ + end.first}).store(x_ + end.first);
  }
  __attribute__((always_inline)) void to_front(auto inner, int k, const Link& l, int at_next) {
    const double lambda = z_[l.row] * inverse_[k] - off_[k + 1] * inverse_[k] * lambda_f_;
    if (inner || l.tied_after)
      tied_end(l.after, lambda, at_next, lambda_f_);
    else
      free_end(l.after, lambda);
    if (!inner && !l.tied_before) free_end(l.before, lambda);
    z_[l.row] = lambda_f_ = lambda;
  }
  __attribute__((always_inline)) void to_back(auto inner, int k, const Link& l, int at_next) {
    const double lambda = z_[l.row] * inverse_[k] - off_[k] * inverse_[k] * lambda_b_;
    if (inner || l.tied_before)
      tied_end(l.before, lambda, at_next, lambda_b_);
    else
      free_end(l.before, lambda);
    if (!inner && !l.tied_after) free_end(l.after, lambda);
    z_[l.row] = lambda_b_ = lambda;
  }

  Values values_;
  const double *w_, *inverse_, *off_;
  int n_;
  double *x_, *z_;
  double lambda_f_ = 0.0, lambda_b_ = 0.0;  // of the links reached last
};

template <int width>
bool LinkChain::pass(const Values& values, double tolerance, double* x, double* z) {
  Elimination<width> elimination{*this, values, tolerance, z};
  if (!elimination.run()) return false;
  Substitution<width>{*this, values, x, z}.run(elimination);
  return true;
}

}  // namespace taut
