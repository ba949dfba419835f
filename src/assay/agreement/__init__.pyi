from assay.agreement.measuring import agree as agree
from assay.agreement.ratings import Ratings as Ratings
from assay.agreement.result import Agreement as Agreement
from assay.agreement.result import Pair as Pair
from assay.agreement.settling import Settled as Settled
