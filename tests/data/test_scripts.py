"""Scripts without blanks between words."""

from __future__ import annotations

import pytest

import assay
from assay.clustering import cluster_texts
from assay.data.profile.scripts import has_words

WEATHER = ["今天的天气非常好", "明天可能会下雨，天气不好", "北方的天气变冷了", "下雨天气适合睡觉"]
SPORT = ["足球比赛昨天结束了", "球队赢得了足球冠军", "篮球比赛今晚开始", "教练对足球比分很满意"]


@pytest.mark.parametrize(
    "text",
    [
        "这部电影很好看",
        "とても面白い映画でした",
        "映画でした",
        "ウイルス",
        "หนังเรื่องนี้ดีมาก",
        "ຮູບເງົານີ້ດີຫຼາຍ",
        "ភាពយន្តនេះល្អណាស់",
        "ဒီရုပ်ရှင်ကောင်းတယ်",
    ],
)
def test_unspaced_scripts_have_no_words(text: str) -> None:
    assert not has_words(assay.read([text, "ok"]).texts)


@pytest.mark.parametrize("text", ["a good film", "хороший фильм", "영화가 좋았다", "فيلم جيد", "", "123 456"])
def test_others_have(text: str) -> None:
    assert has_words(assay.data.corpus.corpus.Corpus([text]).texts)


def test_a_profile_counts_characters_alone() -> None:
    profile = assay.read(WEATHER).profile()
    assert profile.words is None
    assert profile.characters is not None
    assert profile.to_dict()["words"] is None


def test_clusters_are_found_and_named_by_characters() -> None:
    found = cluster_texts(assay.read(WEATHER + SPORT), k=2)
    first, second = found.assignment[:4], found.assignment[4:]
    assert len(set(first)) == len(set(second)) == 1
    assert first[0] != second[0]
    assert found.to_dict()["unit"] == "characters"
    names = [item.ngram for item in found.clusters[int(first[0])].telling]
    assert "天气" in names
    assert all(name.isalpha() and len(name) > 1 for name in names)
