from assay.classifier.load import load as load
from assay.classifier.text_classifier import TextClassifier as TextClassifier
from assay.data.corpus import Corpus as Corpus
from assay.data.read import read as read
from assay.evaluation.comparison import compare as compare
from assay.evaluation.cross_validation import cross_validate as cross_validate
from assay.evaluation.evaluation import evaluate as evaluate
from assay.training.train import train as train

__version__: str
