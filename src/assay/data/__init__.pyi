from assay.data.corpus.split import Split as Split
from assay.data.profile.finding import DataFinding as DataFinding
from assay.data.profile.profile import Profile as Profile
