"""How many documents does it take to be sure that .7 is better than .5?

Try: two classifiers that never disagree, or always do.
"""

from assay import textbook
from assay.textbook import worked

for times in (1, 2, 5, 10, 20):
    test = textbook.paired_bootstrap(worked.TEN_DOCUMENTS * times, b=500)
    print(f"{10 * times:3} documents: difference {test.delta:.2f}, p = {test.p_value:.3f}")
