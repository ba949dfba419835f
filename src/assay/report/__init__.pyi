from assay.report.audit import write_audit as write_audit
from assay.report.build import render_report as render_report
from assay.report.build import write_report as write_report
from assay.report.clusters import write_clusters as write_clusters
