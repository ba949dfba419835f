from assay.modelfile.read import read_model as read_model
from assay.modelfile.write import write_model as write_model
