from assay.prediction.calibration import Calibration as Calibration
from assay.prediction.decision import Decision as Decision
from assay.prediction.decision_rule import DecisionRule as DecisionRule
from assay.prediction.linear_model import LinearTextModel as LinearTextModel
from assay.prediction.novelty import NoNoveltyError as NoNoveltyError
from assay.prediction.novelty import Novelty as Novelty
from assay.prediction.probability_cap import ProbabilityCap as ProbabilityCap
from assay.prediction.weights import SparseWeights as SparseWeights
