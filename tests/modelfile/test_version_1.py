"""Files of version 1, as the first assay wrote them, are read."""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np
import pytest
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save

import assay
from assay.errors import ModelFileError

#: ``TextClassifier(TfidfVectorizer(dtype=np.float32), "logistic", calibration="sigmoid")``, trained on "good film",
#: "bad film", "good fun" and "bad mess", each twice, labelled pos and neg in turn.
LINEAR = (
    "eNqVVd2O4zQUXoQECxdc8ARVuABEiJJMmrYjYEZCQiAhISHYC6Yry42d1oxjR7bTbnfUB+AN4BV4BgTcIsRzcMcdt4jjn2TSzuxIGylNfX4+n5/P"
    "x7+/8cg9NxFCDTWYYIMRis5vIqw13kfn0c0yqjBnK4UNk2IZnU+WkWbrRjKyjGJY1BSbTlFtVVdgjQXme83c2i6rigqjveM1pa334nJHVYU1tQqj"
    "OmqFDRPIyGsqEKdibTZWl1uFWCvc+B2yeJI9tTJtZIt2UhEvdzLnHPYKKivuBDO3wmV0sMIVE1jtrbjGXLv9K8m7RvSRXzNBvNdWVnjVcWfufIVU"
    "jVfx3G+huxVngmI1AB5cRDVY4rB5IwnlIX28otwHDmh07aWtBJFzA6zre2rdKrmlAouKhhgfbo3tZm/IoaG0T83teD4phk3hv0tMyZ1bzV1OG5xP"
    "S49bl9M5qcqaZFOyWCwoLqtVPi8owWeLfJFXOcZlOUvzeV2uZnmep9l0mpEFrYu0zuisr5LslI/dpqiNlxr6zCBfe6sSHecuGA7lFFSNM/CuX8o1"
    "OLPqa7oG4mmXvEsFA02ooarP81P7zZLU9RubaoM0e+72z1y/LSTaUbbemH5nV7cO8yNiQCB8jyzjWibWxyqDUytIkzPXb2YQExBCRVsz5vYgRNo2"
    "zaOE0HiGXA89TjrkDlZWEQoGhxOOQWhtg58hZnxxstS5NB03DI3KhDsjvbVwtkhIVG2wWDvAqasYsImb/al9a08nMj4eZ6iwILKBEoRwUk+Qrq75"
    "0RHWkm99VGM8s4E+bSQnI0Qjecg3TV03tlAW4qiMaoWrntNp4rQ7rNz2ytyeME/ZzkfQN09TSoYIt7QyUkHP72HRNzUj9ZORwb0UcuPseZ+Snx8v"
    "GB+EVnDCEVVKBnNtFKsCy4nZt6GTNZfYnIUzQQV4BT7AqDL1h3OvYKLtwuSoJLBHmIdGJ/CB1CNOWcF4NPflsTM2GA6TFUgWSHE7Xu+OuFZRmD8V"
    "HDif3lDwRkqzQcyjDkQ4Gs+DLRSkRaM7YVD08xOZ+qio/j5osYGehBn33kX3/hKelf3ZuZ8P/DoaPPqW9/idpqcRjqd6mDoHzxllR8pAAHsR+o2B"
    "ikkaTlTXtEGaJ0VShhLtzaafxGdJliUzuDDuZWnYZOiDH0KBmQavrPUBLhvgGdb2Pnb0gfv4s7KIYjua7eoKeuWmPJJ1rakBy6s0nj8Fv9HNkAyz"
    "5+WQ5nFWnkJpLlv6cjBZGeeFxenpmKQJtOII4ywfYUzvYuRFXDiMUKcHnON7QiiKuCxOU4FjvpFkjPTFEVJ+F6cs4ll+ksqgfRFOeRdnlseL8gQH"
    "WtQcoXw7H9d1fhdlUcZZBmkdJpNH4Xn8+U8f/0f++OX7J3/9+8M7jy9//OjPC/v+/NVrl/333cvvfrO2f8t/PoH/F/D91a5fCRivwvs6vG/C+xa8"
    "b8O7wqRmvKk7sZaSNDAD/gfEdz+K"
)

#: ``AveragingNetwork(embedding_size=2, hidden=(2,), epochs=2, threads=1)``, trained on the same texts.
NETWORK = (
    "eNqtVc+L5EQUHtiDuAdBBcEfYJuVBbE3JNXd6e6B7dWL4EUFWS8zTaiuVDphkqpQVenZ3qEVhBU8eBY8ePAgIuLFi4i2J2Vhvfkn7G0v4lHx4Ksf"
    "nUnP9DqwmEtSr6q++t73vlf5/vE985x4cVxShROscBx7+ycelhIvvX3v5NBLuSixOvT2O4ceo+qYi6NDrwuDLJeKi6WegWUzKs0ipKdoxUkm9fAA"
    "pjJaJDGvVVxwaYKsLgqDsJmAw0VO2lObpYEfjXuor0MCK2pDQRCuup3/BRlFZ6GDwWqqY6c7Dz1MSC0wgVxXeuooZ4mbWFCB5zmbW0kKPKOFzVuL"
    "5aIVh5DBLHJ2ZDfKfF7yPHELBF9QhhmhTkyCi3wGpHLO2tR1fTYrCigRlW5kjtrv9JvT4NswFfzYjEZ6IDOMBpE9P40Go4REaRIOkvF4THFEZmjU"
    "pwnujdEYEYRxFA0DNEqj2RAhFISDQZiMadoP0pAOkSUueS0saZ2bNoCOKnpLxYQXddmwN2QKigWjop2B3fr6RsW32v6qsMBQBCo2WWKi8kUjCiRH"
    "i9ounWFFsljmtw2XQaBjBj8+pvk8U20RSZFXW6IKXoFTbPl7xr3ljCYJ0GkQz5jaDNNaqIyKGAgn0h4Lj22MJKGG4wGyZUfOXI1HYllyrjJjnNMZ"
    "rY8+dsvp1rMQ1bI6wZSoGTGL2o6G3AR8XqNMQU7LzeQxFQRLAwj7qPE2vhUXlM1V1lZCR5tsmmDOoJY1MwIZMrxSeZlLW0ioSoLLTcFUTp2JN9sl"
    "yWhSF41HGOTovEOpaSKTOtwkVTxbnu0246ZMUGw5meMX0BtJ4wIn3YISuIvirVq2JrYycqG4lo6Vqhl1nXiMRRnXVQtAC7KNG61sa7msmkzb+YCh"
    "JTBsnKuvU3tY4Id+YA9jdVm5KPL7fuRUXKps4/CeH4b+0OnABck2q8OeH7xKKrC/IwMSNZ2FGS6WMj9tGwKOcA45orT6L2NAtRU/oqxlD6M6m0Mz"
    "2psNxuG0KVpjmIOpZQmb3VlmKsYsiSuwq6pd0fSymuXqdNG5a9WBXmz980Ze2VooBY108cVxvvnPNS/Y//SuRTbSJD00p7VviV2ueqg7d5mrZR+j"
    "/grEsYL4PE0hM6l/0IlaVhR+0G9Gfa+rb3Y9OoimXfOTiJuVB0G3P5oCgvt1+83l5huCvr0g25Bv9FALcthF50H7o24Y9NuwVjY/8Gc5lg9H24EF"
    "QN0wRDvBLiKHdpEDsG6ItpIGeataPQI3BIn2oh1Qj8asF3XDgUnVFhR+buUWo5ujFkY42gExgOSGwXS16nQ6e+655N6Pufdl937CvZ/a2/089/do"
    "/etfl9ZX77w0ufrsM5O7T97/qXPv6R9f++HK5MMP3p+83L93/e7Ny9fvfP1g/dFXX65/eXB//c3bw3X64ifrz9MXbvz2zheTP7/7dvLuH/+sOx+/"
    "8vO1935ff/rZ8zdmOEnzokxrNuc8KamU/wLjdUjj"
)


def bytes_of(kept: str) -> bytes:
    return zlib.decompress(base64.b64decode(kept))


@pytest.fixture
def linear(tmp_path):
    (tmp_path / "old.assay").write_bytes(bytes_of(LINEAR))
    return tmp_path / "old.assay"


def test_a_linear_model_answers_as_it_did(linear):
    model = assay.load(linear)
    assert model.labels == ("neg", "pos")
    assert model.predict(["good", "a bad film"]).tolist() == ["pos", "neg"]
    # What version 1 printed; the last bits are those of the C library's exp.
    expected = [[0.07093476557093037, 0.9290652344290696], [0.8604430202397292, 0.13955697976027082]]
    np.testing.assert_allclose(model.predict_proba(["good", "a bad film"]), expected, rtol=1e-12)
    assert model.provenance["data"]["rows"] == 8
    assert model.provenance["learner"]["class"] == "LogisticRegression"


def test_a_network_answers_as_it_did(tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "old.assay").write_bytes(bytes_of(NETWORK))
    network = assay.load(tmp_path / "old.assay")
    assert network.labels == ("neg", "pos")
    # Single precision.
    expected = [[0.49395181683401457, 0.5060481831659854]] * 2
    np.testing.assert_allclose(network.predict_proba(["good", "a bad film"]), expected, rtol=1e-6)
    assert len(network.history_.epochs) == 2


def test_saved_again_it_is_of_the_new_version_and_answers_with_the_same_bits(linear, tmp_path):
    model = assay.load(linear)
    model.save(tmp_path / "new.assay")
    again = assay.load(tmp_path / "new.assay")
    assert header_of(tmp_path / "new.assay")["version"] == 2
    assert again.predict_proba(["good", "bad"]).tobytes() == model.predict_proba(["good", "bad"]).tobytes()


def header_of(path):
    content = path.read_bytes()
    told = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    return json.loads(told["__metadata__"]["assay"])


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("labels", None, r"'labels' is None, which is no list"),
        ("features", None, r"'features' is None, which is no list"),
        ("features", [7], r"block 0: 'kind' is missing"),
        ("weights", "csr", r"the array 'indptr' is missing"),
        ("calibration", None, r"arrays that nothing refers to: calibration\."),
        ("calibration", "isotonic", r"'method' is 'isotonic', but the arrays are of 'sigmoid'"),
        ("rule", "largest", r"section 'rule': These arrays hold no decision rule"),
        ("provenance", 3, r"'provenance' is 3, which is no dict"),
    ],
)
def test_a_header_that_lies_is_refused(linear, name, value, message):
    header = header_of(linear) | {name: value}
    linear.write_bytes(save(load_arrays(linear.read_bytes()), metadata={"assay": json.dumps(header)}))
    with pytest.raises(ModelFileError, match=message):
        assay.load(linear)
