"""How much does the start matter?

Try: another k, or points of your own.
"""

from collections import Counter

from assay import textbook
from assay.textbook import worked

ends = Counter()
for seed in range(200):
    found = textbook.kmeans(worked.TOPIC_COUNTS, k=3, seed=seed)
    ends[round(found.inertia, 2), str(sorted(found.groups))] += 1
for (inertia, groups), times in sorted(ends.items()):
    print(f"{times:3} of 200 starts end at {inertia:6}: {groups}")
