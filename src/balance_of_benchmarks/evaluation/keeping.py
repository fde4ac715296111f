"""Held-out predictions kept on disk, under digests of all that they depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.evaluation.methods import GRIDS, choose_methods
from balance_of_benchmarks.evaluation.predictions import Predictions, predict_held_out
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.transport.store import ArrayStore, digest_arrays, digest_code, digest_texts

__all__ = ["digest_study", "predict_or_recall"]


def digest_study(study: Study, texts: Sequence[str | None], encoder: str, options: Sequence[object]) -> dict[str, str]:
    """Digest what held-out predictions depend on.

    Parameters
    ----------
    study : Study
    texts : sequence of str or None, length N
    encoder : str
        Its identity: name, revision, options.
    options : sequence
        Methods, targets, seed and whatever else was asked for.

    Returns
    -------
    dict of str to str
        Of the board, the texts with what they say of copies, the encoder with its vectors, the options with the unit
        of distance, and the code, this package's and that of the libraries it computes with.
    """
    index = np.empty(0) if study.index is None else study.index
    board = digest_arrays(study.scores, study.n_items, index)
    rule = study.space.rule
    own = [np.empty(0) if values is None else values for values in (rule.given, rule.target)]
    weighting = rule.weighting, rule.density_bandwidth, digest_arrays(*own)
    return {
        "board": digest_texts(board, study.keys, study.categories),
        "texts": digest_texts(digest_arrays(study.space.labels), *texts),
        "encoder": digest_texts(encoder, digest_arrays(study.space.vectors)),
        "options": digest_texts(weighting, study.space.median, study.settings, *options),
        "code": digest_code(),
    }


def predict_or_recall(
    study: Study,
    store: ArrayStore | None,
    methods: Iterable[str] | None = None,
    *,
    texts: Sequence[str | None],
    encoder: str,
    targets: Sequence[int] | None = None,
    families: dict[int, tuple[int, ...]] | None = None,
    jobs: int | None = 1,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Predictions:
    """Give what was predicted before, or predict; see `predict_held_out`.

    Parameters
    ----------
    study : Study
    store : ArrayStore or None
        None to predict in any case and keep nothing.
    methods, targets, families, jobs, seed, progress
        As for `predict_held_out`.
    texts, encoder
        As for `digest_study`.

    Returns
    -------
    Predictions
    """
    ids = tuple(method.id for method in choose_methods(methods))
    options = (ids, targets if targets is None else list(map(int, targets)), sorted((families or {}).items()), seed)
    depends_on = digest_study(study, texts, encoder, options)
    if store is not None:
        store.prepare()
        kept = store.find(depends_on)
        if kept is not None:
            return _unpack(kept)
    predictions = predict_held_out(
        study, ids, targets=targets, families=families, jobs=jobs, seed=seed, progress=progress
    )
    if store is not None:
        store.keep(depends_on, _pack(predictions))
    return predictions


def _pack(predictions: Predictions) -> dict[str, NDArray[np.generic]]:
    inside = np.zeros((len(predictions.pools), max(map(max, predictions.pools)) + 1), dtype=bool)
    for row, pool in zip(inside, predictions.pools, strict=True):
        row[list(pool)] = True
    return {
        "targets": predictions.targets,
        "methods": np.array(predictions.methods),
        "values": predictions.values,
        "ability": predictions.ability,
        "nearest": predictions.nearest,
        "pools": inside,
        **{f"chosen_{grid}": values for grid, values in predictions.chosen.items()},
    }


def _unpack(kept: dict[str, NDArray[np.generic]]) -> Predictions:
    return Predictions(
        targets=kept["targets"].astype(np.int64),
        methods=tuple(str(id_) for id_ in kept["methods"]),
        values=kept["values"].astype(np.float64),
        ability=kept["ability"].astype(np.float64),
        nearest=kept["nearest"].astype(np.float64),
        chosen={grid.id: kept[f"chosen_{grid.id}"].astype(np.float64) for grid in GRIDS},
        pools=tuple(tuple(int(i) for i in np.flatnonzero(row)) for row in kept["pools"]),
    )
