"""Kriging is the dense formula, and copies, order and missing cells do to it what they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.geometry.angles import angular_distances
from balance_of_benchmarks.ranking.kriging import KrigedField, invert_patterns, log_likelihood, point_mass
from balance_of_benchmarks.ranking.process import measure_covariance
from balance_of_benchmarks.ranking.residuals import PointResiduals
from balance_of_benchmarks.types import FloatArray

NOISE = 0.4


def simulate(seed: int = 0, m: int = 30, n: int = 7, missing: float = 0.3) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Scores with holes and outliers, the benchmarks' vectors, a task's."""
    rng = np.random.default_rng(seed)
    scores = 1.0 / (1.0 + np.exp(-rng.normal(size=(m, 1)) - 0.5 * rng.standard_t(3, (m, n))))
    scores[rng.random((m, n)) < missing] = np.nan
    return scores, rng.normal(size=(n, 4)), rng.normal(size=4)


def krige(
    scores: FloatArray, vectors: FloatArray, task: FloatArray, *, size: float = 1.0, mass: FloatArray | None = None
) -> tuple[bob.Fit, KrigedField]:
    """Fitted with weights that copies cannot move."""
    space = bob.measure_space(vectors, weighting="magnitude")
    fit = bob.fit_scores(scores, space.weights, labels=space.labels)
    to_task = measure_covariance(space.distances_to(task), 0.8, "exponential")
    among = measure_covariance(space.distances, 0.8, "exponential")
    return fit, bob.kriging_field(fit, to_task, among, noise=NOISE, size=size, mass=mass)


def solve_densely(
    fit: bob.Fit, vectors: FloatArray, task: FloatArray, mass: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Prediction and posterior variance of each model by itself."""
    angles = angular_distances(vectors)
    np.fill_diagonal(angles, 0.0)
    among, to_task = np.exp(-angles / 0.8), np.exp(-angular_distances(task[None], vectors)[0] / 0.8)
    clipped = np.clip(fit.residuals, -fit.settings.robust_cap, fit.settings.robust_cap)
    mean, variance = np.zeros(len(clipped)), np.ones(len(clipped))
    for model, residual in enumerate(clipped):
        seen = np.flatnonzero(np.isfinite(residual))
        weight = np.linalg.inv(among[np.ix_(seen, seen)] + np.diag(NOISE / mass[seen])) @ to_task[seen]
        mean[model], variance[model] = weight @ residual[seen], 1.0 - weight @ to_task[seen]
    return mean, variance


@given(st.integers(0, 20))
def test_it_is_the_dense_formula_for_each_model(seed: int) -> None:
    scores, vectors, task = simulate(seed)
    fit, field = krige(scores, vectors, task, size=1.5)
    mean, variance = solve_densely(fit, vectors, task, np.ones(7))

    np.testing.assert_allclose(field.residual, mean, atol=1e-10)
    np.testing.assert_allclose(field.score, fit.ability + 1.5 * mean, atol=1e-10)
    np.testing.assert_allclose(field.support, 1.0 - variance, atol=1e-10)
    np.testing.assert_allclose(field.deviation, 1.5 * np.sqrt(variance), atol=1e-10)
    np.testing.assert_allclose(field.support_mass / (field.support_mass + 1.0), field.support, atol=1e-12)
    np.testing.assert_allclose(fit.observed.sum_by_model(field.contribution), field.score - fit.ability, atol=1e-10)


def test_a_points_noise_is_divided_by_its_mass() -> None:
    scores, vectors, task = simulate()
    mass = np.linspace(0.2, 3.0, 7)
    fit, field = krige(scores, vectors, task, mass=mass)

    np.testing.assert_allclose(field.residual, solve_densely(fit, vectors, task, mass)[0], atol=1e-10)


def test_a_benchmark_without_mass_has_no_say() -> None:
    scores, vectors, task = simulate(missing=0.0)
    mass = np.ones(7)
    mass[3] = 0.0
    fit, field = krige(scores, vectors, task, mass=mass)
    rest = np.arange(7) != 3
    hidden = np.where(rest, fit.residuals, np.nan)

    assert not field.contribution[fit.cells.benchmark == 3].any()
    angles = angular_distances(vectors[rest])
    np.fill_diagonal(angles, 0.0)
    among, to_task = np.exp(-angles / 0.8), np.exp(-angular_distances(task[None], vectors[rest])[0] / 0.8)
    weight = np.linalg.solve(among + NOISE * np.eye(6), to_task)
    np.testing.assert_allclose(field.residual, np.clip(hidden[:, rest], -3, 3) @ weight, atol=1e-10)


@given(st.integers(0, 20), st.integers(0, 6), st.integers(1, 5))
def test_listing_a_benchmark_again_changes_nothing(seed: int, twin: int, copies: int) -> None:
    scores, vectors, task = simulate(seed)
    place = [*range(7), *[twin] * copies]
    fit, field = krige(scores, vectors, task)
    again, listed = krige(scores[:, place], vectors[place], task)

    np.testing.assert_allclose(again.ability, fit.ability, atol=1e-9)
    for name in ("score", "residual", "support", "deviation"):
        np.testing.assert_allclose(getattr(listed, name), getattr(field, name), atol=1e-9)
    share = again.observed.to_matrix(listed.contribution)
    whole = fit.observed.to_matrix(field.contribution)
    np.testing.assert_allclose(share[:, [twin, *range(7, 7 + copies)]].sum(axis=1), whole[:, twin], atol=1e-9)


@given(st.integers(0, 20))
def test_order_of_benchmarks_and_models_does_not_matter(seed: int) -> None:
    scores, vectors, task = simulate(seed)
    rng = np.random.default_rng(seed)
    models, benchmarks = rng.permutation(30), rng.permutation(7)
    _, field = krige(scores, vectors, task)
    _, turned = krige(scores[np.ix_(models, benchmarks)], vectors[benchmarks], task)

    np.testing.assert_allclose(turned.score, field.score[models], atol=1e-9)
    np.testing.assert_allclose(turned.support, field.support[models], atol=1e-9)


def test_without_evidence_the_score_is_the_ability_and_the_interval_the_priors() -> None:
    scores, vectors, _ = simulate()
    space = bob.measure_space(vectors)
    fit = bob.fit_scores(scores, space.weights)
    field = bob.kriging_field(
        fit, np.zeros(7), measure_covariance(space.distances, 0.5, "gaussian"), noise=0.1, variance=1.0, size=0.7
    )

    np.testing.assert_array_equal(field.score, fit.ability)
    assert not field.support.any()
    np.testing.assert_array_equal(field.deviation, np.full(30, 0.7))


def test_size_zero_is_ability_alone() -> None:
    fit, field = krige(*simulate(), size=0.0)

    np.testing.assert_array_equal(field.score, fit.ability)


def test_what_a_model_was_not_scored_on_has_no_say() -> None:
    scores, vectors, task = simulate(missing=0.0)
    _, field = krige(scores, vectors, task)
    scores[4, 2] = np.nan
    hidden, other = krige(scores, vectors, task)
    mean, variance = solve_densely(hidden, vectors, task, np.ones(7))

    assert other.residual[4] == pytest.approx(mean[4], abs=1e-10)
    assert other.deviation[4] == pytest.approx(np.sqrt(variance[4]), abs=1e-10)
    assert other.support[4] < field.support[4]


def test_a_model_without_ability_has_no_score_and_disturbs_nobody() -> None:
    scores, vectors, task = simulate()
    scores[4] = np.nan
    _, field = krige(scores, vectors, task)

    assert np.flatnonzero(np.isnan(field.score)).tolist() == [4]


def test_two_near_duplicates_are_trusted_as_one_with_twice_the_items_would_be() -> None:
    scores, vectors, _ = simulate(missing=0.0)
    vectors[1], vectors[2:] = vectors[0] + 1e-4, -vectors[2:] * np.sign(vectors[2:] @ vectors[0])[:, None]
    fit = bob.fit_scores(scores)
    angles = angular_distances(vectors)
    np.fill_diagonal(angles, 0.0)
    among = measure_covariance(angles, 0.05, "gaussian")
    field = bob.kriging_field(fit, among[0], among, noise=NOISE)
    r = np.clip(fit.residuals, -3, 3)

    np.testing.assert_allclose(field.residual, (r[:, 0] + r[:, 1]) / (2.0 + NOISE), atol=1e-4)


def test_the_likelihood_is_the_normal_density_of_each_models_residuals() -> None:
    scores, vectors, _ = simulate()
    space = bob.measure_space(vectors)
    fit = bob.fit_scores(scores, space.weights)
    among = 0.6 * measure_covariance(space.distances, 0.8, "exponential")
    total = 0.0
    for residual in np.clip(fit.residuals, -3, 3):
        seen = np.flatnonzero(np.isfinite(residual))
        sigma = among[np.ix_(seen, seen)]
        sigma[np.diag_indices(seen.size)] = 1.0
        _, log_determinant = np.linalg.slogdet(2 * np.pi * sigma)
        total -= 0.5 * (log_determinant + residual[seen] @ np.linalg.inv(sigma) @ residual[seen])
    data = PointResiduals.of(fit)
    patterns = invert_patterns(data, among, noise=0.4, variance=0.6)
    found = sum(float(log_likelihood(data.curve, group, inverse)) for group, inverse in patterns)

    assert found == pytest.approx(total, abs=1e-8)


def test_one_inverse_predicts_every_point_left_out() -> None:
    scores, vectors, _ = simulate()
    space = bob.measure_space(vectors)
    fit = bob.fit_scores(scores, space.weights)
    among = measure_covariance(space.distances, 0.8, "exponential")
    data = PointResiduals.of(fit)
    for group, inverse in invert_patterns(data, among, noise=NOISE):
        for points, solved in zip(group.points, inverse, strict=True):
            for place, point in enumerate(points):
                rest = np.delete(points, place)
                expected = np.linalg.solve(among[np.ix_(rest, rest)] + NOISE * np.eye(rest.size), among[point, rest])
                found = -np.delete(solved[place], place) / solved[place, place]
                np.testing.assert_allclose(found, expected, atol=1e-10)


def test_the_share_of_ranks_blends_two_kinds_of_residuals() -> None:
    scores, vectors, task = simulate()
    fit = bob.fit_scores(scores)
    space = bob.measure_space(vectors)
    to_task = measure_covariance(space.distances_to(task), 0.8, "exponential")
    among = measure_covariance(space.distances, 0.8, "exponential")
    curve, rank, both = (
        bob.kriging_field(fit, to_task, among, noise=NOISE, rank_share=share) for share in (0.0, 1.0, 0.25)
    )

    np.testing.assert_allclose(both.residual, 0.75 * curve.residual + 0.25 * rank.residual, atol=1e-12)
    np.testing.assert_allclose(fit.observed.sum_by_model(both.contribution), both.score - fit.ability, atol=1e-10)


def test_a_prior_variance_of_its_own_at_the_task_is_what_support_is_a_share_of() -> None:
    scores, vectors, task = simulate()
    fit = bob.fit_scores(scores)
    space = bob.measure_space(vectors)
    to_task = measure_covariance(space.distances_to(task), 0.8, "exponential")
    among = measure_covariance(space.distances, 0.8, "exponential")
    one = bob.kriging_field(fit, to_task, among, noise=NOISE)
    two = bob.kriging_field(fit, to_task, among, noise=NOISE, at_task=2.0)

    np.testing.assert_allclose(two.support, one.support / 2.0, atol=1e-12)
    np.testing.assert_allclose(two.deviation**2 - one.deviation**2, 1.0, atol=1e-12)


def test_the_users_own_weights_and_targets_are_masses_and_copies_share_one() -> None:
    vectors = np.eye(3)[[0, 1, 2, 2]]

    assert point_mass(bob.measure_space(vectors)).tolist() == [1.0, 1.0, 0.5, 0.5]
    assert point_mass(bob.measure_space(vectors, weights=[1, 2, 0, 3])).tolist() == [1.0, 2.0, 0.0, 3.0]
    assert point_mass(bob.measure_space(vectors, target=[1, 2, 4, 4])).tolist() == [1.0, 2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"to_task": np.ones(5)}, "expected \\(7,\\)"),
        ({"among": np.full((7, 7), np.nan)}, "finite"),
        ({"noise": 0.0}, "noise is 0"),
        ({"variance": -1.0}, "variance is -1"),
        ({"mass": np.full(7, -1.0)}, "none negative"),
    ],
)
def test_bad_arguments_are_refused(change: dict[str, object], words: str) -> None:
    arguments = {"to_task": np.ones(7), "among": np.eye(7), "noise": 0.1} | change

    with pytest.raises(bob.ArrayError, match=words):
        bob.kriging_field(bob.fit_scores(simulate()[0]), **arguments)  # type: ignore[arg-type]


def test_covariances_are_the_two_formulas() -> None:
    distances = np.array([0.0, 0.3, np.inf])

    np.testing.assert_allclose(measure_covariance(distances, 0.5, "gaussian"), [1, np.exp(-0.18), 0])
    np.testing.assert_allclose(measure_covariance(distances, 0.5, "exponential"), [1, np.exp(-0.6), 0])
    with pytest.raises(bob.ArrayError, match="gaussian, exponential"):
        measure_covariance(distances, 0.5, "cubic")  # type: ignore[arg-type]
