from assay.classifier.text_classifier import TextClassifier as TextClassifier
from assay.data.corpus.corpus import Corpus as Corpus
from assay.data.reading.read import read as read
from assay.evaluation.protocols.comparison import compare as compare
from assay.evaluation.protocols.cross_validation import cross_validate as cross_validate
from assay.evaluation.protocols.evaluation import evaluate as evaluate
from assay.loading import load as load
from assay.training.train import train as train
from assay.updating.update import update as update

__version__: str
