from assay.drift.result import Drift as Drift
from assay.drift.run import measure_drift as measure_drift
