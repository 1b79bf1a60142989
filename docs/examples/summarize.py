# Reduces thousands of issues to a summary. What the next snippet may need stays
# on the host under a handle: only the handle is returned.
from collections import Counter

open_bugs = [i for i in issues if i["state"] == "open" and "bug" in i["labels"]]
areas = Counter(i["labels"][1] for i in open_bugs)

return {
    "issues": len(issues),
    "open_bugs": len(open_bugs),
    "open_bugs_by_area": dict(areas.most_common()),
    "busiest_area": areas.most_common(1)[0][0],
    "issues_handle": await save_result(open_bugs, label="open bugs"),
}
