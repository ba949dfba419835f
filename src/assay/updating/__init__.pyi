from assay.updating.onward.update_onward import update_onward as update_onward
from assay.updating.result import ModelUpdate as ModelUpdate
from assay.updating.result import OldTextsGoneError as OldTextsGoneError
from assay.updating.result import WorseModelError as WorseModelError
