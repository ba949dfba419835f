from assay.adaptation.easy_adapt import EasyAdapt as EasyAdapt
from assay.adaptation.self_training import SelfTraining as SelfTraining
from assay.adaptation.self_training import SelfTrainingRound as SelfTrainingRound
