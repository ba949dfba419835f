"""A pipeline of scikit-learn behind FastAPI, as its users write it: `MODEL=x.joblib uvicorn _serving_sklearn:app`."""

from __future__ import annotations

import os
from typing import Any

import joblib
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()
model = joblib.load(os.environ["MODEL"])


class Question(BaseModel):
    """What is asked."""

    texts: list[str]


@app.post("/predict")
async def predict(question: Question) -> dict[str, Any]:
    probabilities = model.predict_proba(question.texts)
    labels = model.classes_[probabilities.argmax(axis=1)]
    return {"labels": labels.tolist(), "probabilities": probabilities.tolist()}
