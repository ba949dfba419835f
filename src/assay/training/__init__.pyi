from assay.training.learner_settings import LearnerSettings as LearnerSettings
from assay.training.recipes import Recipe as Recipe
from assay.training.refit import Member as Member
from assay.training.run import MajorityBaseline as MajorityBaseline
from assay.training.run import TrainingRun as TrainingRun
from assay.training.settings import TrainingSettings as TrainingSettings
from assay.training.train import run_training as run_training
from assay.training.trials import Trial as Trial
