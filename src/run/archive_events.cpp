// SPDX-License-Identifier: BSD-3-Clause
#include "run/archive_events.hpp"

#include "core/archive_list.hpp"

namespace taut {

void archive_events(Archive& archive, std::vector<EventRecord>& events) {
  archive_list(archive, events, [&](EventRecord& event) {
    archive(event.name, event.state, event.stops, event.acts, event.after, event.observable);
  });
}

void archive_events(Archive& archive, std::vector<CurveEventRecord>& events) {
  archive_list(archive, events, [&](CurveEventRecord& event) {
    archive(event.name, event.s, event.p, event.stops);
  });
}

void archive_impasses(Archive& archive, std::vector<ImpassePoint>& points) {
  archive_list(archive, points, [&](ImpassePoint& point) {
    bool turns = point.kind == ImpassePoint::Kind::turns_back;
    archive(turns, point.s, point.p, point.slope);
    point.kind = turns ? ImpassePoint::Kind::turns_back : ImpassePoint::Kind::passes;
    archive_list(archive, point.unbounded);
  });
}

}  // namespace taut
