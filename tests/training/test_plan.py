from __future__ import annotations

from assay.features.ngrams.ngram_settings import NgramSettings
from assay.training.candidates import Wishes, candidate_recipes
from assay.training.plan import Round, default_budget, plan_rounds
from assay.training.prices import Prices
from assay.training.recipes import Recipe


def prices_for(recipes: list[Recipe], n_texts: int, n_classes: int, words: int) -> Prices:
    sizes: dict[NgramSettings, int] = {}
    for recipe in recipes:
        for block in recipe.blocks:
            sizes[block] = n_texts * words * (1 if block.analysis.unit == "word" else 6)
    return Prices(n_texts, n_classes, sizes)


def test_little_data_is_tried_whole_at_once() -> None:
    recipes = candidate_recipes(Wishes(), n_texts=500, spaces=True)
    rounds = plan_rounds(prices_for(recipes, 500, 2, 20), recipes, 5, 50)
    assert [(r.n_train, r.tested) for r in rounds] == [(400, 5), (400, 5)]


def test_much_data_is_tried_in_growing_samples_within_the_budget() -> None:
    recipes = candidate_recipes(Wishes(), n_texts=100_000, spaces=True)
    prices = prices_for(recipes, 100_000, 20, 600)
    first, second, third = plan_rounds(prices, recipes, 5, 300)
    assert first.n_train < second.n_train <= third.n_train
    assert prices.seconds(recipes, first.n_train, first.tested) <= first.allowed
    assert first.allowed + second.allowed + third.allowed <= 300 * 2
    assert second.most < len(recipes)


def test_what_a_round_cannot_afford_is_passed_over_for_what_it_can() -> None:
    recipes = candidate_recipes(Wishes(), n_texts=20_000, spaces=True)
    prices = prices_for(recipes, 20_000, 50, 100)
    dear_first = sorted(recipes, key=lambda recipe: -prices.seconds([recipe], 1000, 5))
    allowed = prices.seconds(dear_first[:1], 1000, 5) * 1.5
    kept = prices.affordable(dear_first, Round(20_000, 1000, 5, 4, allowed))
    assert kept[0] == dear_first[0]
    assert 2 < len(kept) <= 4
    assert dear_first[1] not in kept
    assert prices.seconds(kept, 1000, 5) <= allowed


def test_a_longer_budget_never_means_less_data() -> None:
    recipes = candidate_recipes(Wishes(), n_texts=50_000, spaces=True)
    prices = prices_for(recipes, 50_000, 4, 100)
    sizes = [plan_rounds(prices, recipes, 5, budget)[0].n_train for budget in (5, 20, 80, 320)]
    assert sizes == sorted(sizes)


def test_one_recipe_is_cross_validated_on_everything() -> None:
    recipes = candidate_recipes(Wishes("svm", (1, 2)), n_texts=1000, spaces=True)
    assert len(recipes) == 1
    (only,) = plan_rounds(prices_for(recipes, 1000, 2, 20), recipes, 5, 50)
    assert (only.n_train, only.tested) == (800, 5)


def test_the_budget_grows_with_the_data_up_to_minutes() -> None:
    budgets = [default_budget(n) for n in (10**5, 10**7, 3 * 10**7, 10**9)]
    assert budgets == sorted(budgets)
    assert budgets[-1] == 200


def test_without_spaces_characters_are_read_across_words() -> None:
    units = {r.blocks[0].analysis.unit for r in candidate_recipes(Wishes(), n_texts=100, spaces=False)}
    assert "char" in units
    assert "char_wb" not in units


def test_what_was_wished_for_is_in_every_recipe() -> None:
    wishes = Wishes("logistic", features=(("lowercase", False), ("stop_words", ["the"])))
    recipes = candidate_recipes(wishes, n_texts=100, spaces=True)
    assert {recipe.learner.name for recipe in recipes} == {"logistic"}
    for recipe in recipes:
        (block,) = recipe.blocks
        assert not block.analysis.lowercase
        assert block.analysis.stop_words == (("the",) if block.analysis.unit == "word" else ())
