from assay.labeling.aside import kept_aside as kept_aside
from assay.labeling.bought import CurvePoint as CurvePoint
from assay.labeling.bought import LabelsBought as LabelsBought
from assay.labeling.bought import labels_bought as labels_bought
from assay.labeling.picks import Pick as Pick
from assay.labeling.picks import Picks as Picks
from assay.labeling.pool import TextPool as TextPool
from assay.labeling.pool import pick_texts as pick_texts
