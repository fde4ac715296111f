"""Choosing a Gaussian process: evidence is shared out as the formulas say, and thin evidence leaves ability alone."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.ranking.bandwidth import draw_targets
from balance_of_benchmarks.ranking.choosing import Selection, choose_process, share_evidence
from balance_of_benchmarks.ranking.folds import Fold, iterate_folds
from balance_of_benchmarks.ranking.kriging import invert_patterns, log_likelihood
from balance_of_benchmarks.ranking.process import PROCESSES, SIZES, Process, ProcessChoice
from balance_of_benchmarks.ranking.residuals import PointResiduals
from balance_of_benchmarks.types import FloatArray


def simulate(
    benchmarks: int = 9, *, shared: float = 0.9, seed: int = 0, models: int = 80
) -> tuple[FloatArray, FloatArray]:
    """Scores and vectors of benchmarks in three places; the models' talents differ between places by `shared`."""
    rng = np.random.default_rng(seed)
    kind = np.arange(benchmarks) % 3
    talent = rng.normal(size=(models, 3))
    logits = rng.normal(size=(models, 1)) + shared * talent[:, kind] + 0.3 * rng.normal(size=(models, benchmarks))
    return 1.0 / (1.0 + np.exp(-logits)), np.eye(3, 8)[kind] + 0.2 * rng.normal(size=(benchmarks, 8))


def choose(
    scores: FloatArray, vectors: FloatArray, selection: Selection = "mixture", **options: object
) -> tuple[ProcessChoice, list[Fold], bob.Fit, bob.Space]:
    space = bob.measure_space(vectors, weighting="magnitude")
    fit = bob.fit_scores(scores, space.weights, labels=space.labels)
    folds = list(iterate_folds(scores, space, unit=space.median))
    return choose_process(folds, fit, space, selection=selection, **options), folds, fit, space  # type: ignore[arg-type]


def only(process: Process, kind: int, size: float) -> ProcessChoice:
    """A choice of one candidate."""
    shares = np.zeros((1, 2, 1))
    shares[0, kind, 0] = 1.0
    return ProcessChoice((process,), (size,), shares, 0.0, shares, 0.0, shares[:, :, 0], (), None, "")


def test_shared_evidence_is_the_likelihood_ratio_of_a_t_test() -> None:
    rng = np.random.default_rng(0)
    figures = rng.normal(size=(8, 2, 3))
    found = share_evidence(figures, np.full(8, 3.0))
    means = figures.mean(axis=0)
    best = np.unravel_index(np.argmax(means), means.shape)
    for k in np.ndindex(2, 3):
        deficit = figures[:, best[0], best[1]] - figures[:, k[0], k[1]]
        t_squared = 8 * deficit.mean() ** 2 / max(deficit.var(ddof=1), 1e-300)
        assert found[k] == pytest.approx((1.0 + t_squared / 7.0) ** -4.0)
    assert found[best] == 1.0


def test_a_fold_of_no_trust_is_as_good_as_absent() -> None:
    figures = np.random.default_rng(1).normal(size=(6, 4))
    trust = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1e-12])

    np.testing.assert_allclose(share_evidence(figures, trust), share_evidence(figures[:5], np.ones(5)), rtol=1e-6)


def test_a_candidate_worse_by_the_same_everywhere_has_no_share_and_an_equal_one_the_same() -> None:
    best = np.random.default_rng(0).normal(size=5)
    figures = np.stack([best, best, best - 0.25], axis=1)

    np.testing.assert_allclose(share_evidence(figures, np.ones(5)), [1.0, 1.0, 0.0], atol=1e-20)


def test_where_talents_are_shared_nearby_the_adjustment_is_taken_up() -> None:
    choice, *_ = choose(*simulate())
    alone, *_ = choose(*simulate(shared=0.0, seed=3))

    assert choice.size > 0.6
    assert choice.alone < 1e-3
    assert choice.alone < alone.alone
    assert choice.shares.sum() + choice.alone == pytest.approx(1.0)
    assert len(choice.held_out) == 9


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_the_criterion_is_what_kriging_each_fold_by_itself_scores(kind: int, missing: float) -> None:
    scores, vectors = simulate()
    scores[np.random.default_rng(2).random(scores.shape) < missing] = np.nan
    process, size = Process("exponential", 0.5, 0.3), 1.5
    choice, folds, _, _ = choose(scores, vectors, candidates=(process,), sizes=(size,))
    outcomes = [
        fold.score(only(process, kind, size).field(fold.fit, fold.distances, fold.space).score) for fold in folds
    ]
    counts = np.array([np.isfinite(fold.scores).sum() for fold in folds])
    trust = 1.0 / (0.02 + 1.0 / (counts - 1.0))
    expected = np.average([(one.level + one.profile) / 2 for one in outcomes], weights=trust)
    bare = np.average(
        [(one.level + one.profile) / 2 for one in (fold.score(fold.fit.ability) for fold in folds)], weights=trust
    )

    assert choice.criterion[0, kind, 0] == pytest.approx(expected, abs=1e-9)
    assert choice.criterion_alone == pytest.approx(bare, abs=1e-9)


def test_the_likelihood_is_that_of_each_kind_of_residual() -> None:
    process = Process("gaussian", 1.0, 0.3)
    choice, _, fit, space = choose(*simulate(), candidates=(process,))
    data = PointResiduals.of(fit)
    among = process.covariance(space.distances, space.median)
    for kind, residual in enumerate((data.curve, data.rank)):
        patterns = invert_patterns(data, among, noise=1.0 - process.variance, variance=process.variance)
        total = sum(float(log_likelihood(residual, group, inverse)) for group, inverse in patterns)
        assert choice.likelihood[0, kind] == pytest.approx(total / residual.size)


@pytest.mark.parametrize("selection", get_args(Selection))
def test_every_selection_gives_shares_of_one(selection: Selection) -> None:
    choice, *_ = choose(*simulate(), selection)

    assert choice.shares.shape == (len(PROCESSES), 2, len(SIZES))
    assert choice.shares.sum() + choice.alone == pytest.approx(1.0)
    assert (choice.shares > 0).sum() == (choice.shares.size if selection == "mixture" else 1)


def test_held_out_takes_the_best_criterion_and_likelihood_the_likeliest() -> None:
    held_out, *_ = choose(*simulate(), "held_out")
    likely, *_ = choose(*simulate(), "likelihood")

    assert held_out.criterion[held_out.shares > 0] == held_out.criterion.max()
    assert likely.likelihood[likely.shares[:, 0].sum(axis=1) > 0, 0] == likely.likelihood[:, 0].max()
    assert (likely.size, likely.rank_share) == (1.0, 0.0)


@pytest.mark.parametrize("selection", ["mixture", "held_out"])
def test_with_fewer_than_two_folds_that_can_tell_it_is_ability_alone(selection: Selection) -> None:
    choice, folds, fit, space = choose(*simulate(), selection)
    none = choose_process(folds[:1], fit, space, selection=selection)

    assert choice.size > 0
    assert (none.size, none.alone) == (0.0, 1.0)
    assert "ability alone" in none.why
    np.testing.assert_array_equal(none.field(fit, space.distances[0], space).score, fit.ability)


def test_before_any_evidence_ability_alone_has_the_say_of_one_benchmark() -> None:
    scores, vectors = simulate()
    space = bob.measure_space(vectors, weighting="magnitude")
    fit = bob.fit_scores(scores, space.weights, labels=space.labels)
    folds = list(iterate_folds(scores, space, unit=space.median))
    # A process that no benchmark tells from none: what is left is what was there before.
    short = Process("gaussian", 1e-3, 1.0)
    choice = choose_process(folds, fit, space, candidates=(short,), sizes=(1.0,))

    assert choice.alone == pytest.approx(1.0 / (1.0 + len(folds)), rel=0.02)


def test_what_a_category_shares_is_found_where_descriptions_do_not_tell_it() -> None:
    scores, vectors = simulate(12, shared=1.2)
    vectors = np.random.default_rng(9).normal(size=vectors.shape)
    categories = [("maths", "code", "law")[i % 3] for i in range(12)]
    choice, *_ = choose(scores, vectors, categories=categories)
    blind, *_ = choose(scores, vectors)

    assert choice.by_category > 0.45
    assert choice.criterion.max() > blind.criterion.max() + 0.1
    assert blind.by_category == 0.0


def test_a_benchmark_without_mass_is_not_held_out_to_choose_by() -> None:
    scores, vectors = simulate()
    space = bob.measure_space(vectors, weights=[0.0, *[1.0] * 8])
    fit = bob.fit_scores(scores, space.weights, labels=space.labels)
    choice = choose_process(iterate_folds(scores, space, unit=space.median), fit, space)

    assert choice.held_out == tuple(range(1, 9))


def test_which_of_two_copies_has_the_weight_they_were_given_does_not_matter() -> None:
    scores, vectors = simulate()
    place = [*range(9), 4]
    found = []
    for given in ([1.0] * 9 + [0.0], [1.0] * 4 + [0.0] + [1.0] * 5):
        space = bob.measure_space(vectors[place], weights=given)
        fit = bob.fit_scores(scores[:, place], space.weights, labels=space.labels)
        found.append(choose_process(iterate_folds(scores[:, place], space, unit=space.median), fit, space))

    assert found[0].held_out == found[1].held_out == tuple(range(9))
    np.testing.assert_allclose(found[0].shares, found[1].shares, atol=1e-9)


@pytest.mark.parametrize("names", ["maths code law", "a b c d e f g h i"])
def test_listing_a_benchmark_again_changes_no_share_and_no_score(names: str) -> None:
    scores, vectors = simulate()
    task = np.random.default_rng(5).normal(size=8)
    place = [*range(9), 4, 4, 4]
    categories = [names.split()[i % len(names.split())] for i in range(9)]
    choice, _, fit, space = choose(scores, vectors, categories=categories)
    again, _, other, longer = choose(scores[:, place], vectors[place], categories=[categories[i] for i in place])

    np.testing.assert_allclose(again.shares, choice.shares, atol=1e-9)
    np.testing.assert_allclose(
        again.field(other, longer.distances_to(task), longer).score,
        choice.field(fit, space.distances_to(task), space).score,
        atol=1e-9,
    )


def test_on_a_wide_board_the_order_of_benchmarks_and_models_does_not_matter() -> None:
    scores, vectors = simulate(40, models=30)
    rng = np.random.default_rng(4)
    task, models, place = rng.normal(size=8), rng.permutation(30), rng.permutation([*range(40), 7, 7, 11])
    found = []
    for listed, placed in ((scores, vectors), (scores[np.ix_(models, place)], vectors[place])):
        space = bob.measure_space(placed, weighting="magnitude")
        fit = bob.fit_scores(listed, space.weights, labels=space.labels)
        targets = draw_targets(listed, space)
        choice = choose_process(iterate_folds(listed, space, targets, unit=space.median), fit, space)
        found.append((choice, choice.field(fit, space.distances_to(task), space).score))
    (one, score), (other, turned) = found

    assert len(one.held_out) == 32
    assert sorted(place[[*other.held_out]]) == list(one.held_out)
    np.testing.assert_allclose(turned, score[models], atol=1e-9)


def test_an_unknown_selection_is_refused() -> None:
    with pytest.raises(bob.ArrayError, match="mixture, held_out, likelihood"):
        choose(*simulate(), "guess")  # type: ignore[arg-type]
