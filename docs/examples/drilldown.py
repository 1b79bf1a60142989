# Runs in another sandbox, which knows nothing of the first but what that one
# returned: `previous`. The handle in it brings the rows back.
from datetime import datetime
from statistics import median

bugs = await load_result(previous["issues_handle"])
area = previous["busiest_area"]
inside = [b for b in bugs if area in b["labels"]]
newest = max(datetime.fromisoformat(b["created_at"]) for b in bugs)
days = [(newest - datetime.fromisoformat(b["created_at"])).days for b in inside]
urgent = sorted(
    (b for b in inside if {"p0", "p1"} & set(b["labels"])),
    key=lambda b: b["comments"],
    reverse=True,
)

print(f"{len(inside)} of {len(bugs)} open bugs are in {area!r}")
return {
    "area": area,
    "median_age_days": median(days),
    "unassigned": sum(b["assignee"] is None for b in inside),
    "most_discussed": [{"number": b["number"], "title": b["title"], "comments": b["comments"]} for b in urgent[:3]],
}
