// reports.hpp: dicts of results, each under the name of the TypedDict that stub_patterns.txt writes into the stub.
#pragma once

#include <nanobind/nanobind.h>

namespace assay::bindings {

#define ASSAY_REPORT(Name, in_stub)                            \
    class Name : public nanobind::dict {                       \
        NB_OBJECT(Name, nanobind::dict, in_stub, PyDict_Check) \
        Name() : nanobind::dict() {}                           \
    };
ASSAY_REPORT(SolverReportDict, "SolverReport")
ASSAY_REPORT(DescentReportDict, "DescentReport")
ASSAY_REPORT(KMeansReportDict, "KMeansReport")
ASSAY_REPORT(FeatureMeasuresDict, "FeatureMeasures")
ASSAY_REPORT(LocatedFeaturesDict, "LocatedFeatures")
#undef ASSAY_REPORT

}  // namespace assay::bindings
