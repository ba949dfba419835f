from assay.updating.result import ModelUpdate as ModelUpdate
from assay.updating.result import WorseModelError as WorseModelError
