"""A model of fastText behind FastAPI, as its users write it: `MODEL=x.bin uvicorn _serving_fasttext:app`."""

from __future__ import annotations

import os
from typing import Any

import fasttext
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()
model = fasttext.load_model(os.environ["MODEL"])


class Question(BaseModel):
    """What is asked."""

    texts: list[str]


@app.post("/predict")
async def predict(question: Question) -> dict[str, Any]:
    labels, probabilities = model.predict([text.replace("\n", " ") for text in question.texts])
    return {
        "labels": [found[0].removeprefix("__label__") for found in labels],
        "probabilities": [float(found[0]) for found in probabilities],
    }
