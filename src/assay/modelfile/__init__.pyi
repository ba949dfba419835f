from assay.modelfile.attachment import Attachment as Attachment
from assay.modelfile.lineage import Lineage as Lineage
from assay.modelfile.lineage import Parent as Parent
from assay.modelfile.lineage import Update as Update
from assay.modelfile.read import read_model as read_model
from assay.modelfile.record import ModelRecord as ModelRecord
from assay.modelfile.write import write_model as write_model
