from assay.workspace.records import WHYS as WHYS
from assay.workspace.records import Decision as Decision
from assay.workspace.status import Status as Status
from assay.workspace.workspace import Given as Given
from assay.workspace.workspace import Workspace as Workspace
