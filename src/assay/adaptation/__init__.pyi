from assay.adaptation.easy_adapt import EasyAdapt as EasyAdapt
from assay.adaptation.self_training import Round as Round
from assay.adaptation.self_training import SelfTraining as SelfTraining
