from assay.inference.alternatives import held_out_p_value as held_out_p_value
from assay.inference.alternatives import permutation_p_value as permutation_p_value
from assay.inference.regression import regress as regress
from assay.inference.result import Coefficient as Coefficient
from assay.inference.result import FeatureTest as FeatureTest
from assay.inference.result import Regression as Regression
