"""Inverse-density weights and effective mass: Eq. (3), §3.2 and Appendix B."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.points import check_distances, check_positive
from balance_of_benchmarks.types import FloatArray, as_floats

__all__ = [
    "effective_mass",
    "gaussian_kernel",
    "group_mass",
    "inverse_density_weights",
    "leave_one_out_masses",
    "marginal_mass",
    "measure_density",
    "outside_mass",
]


# exp(-_FAR² / 2) is 0, and squaring anything up to it does not overflow.
_FAR: Final = 1e6


def gaussian_kernel(distances: ArrayLike, bandwidth: float) -> FloatArray:
    """Similarity k(d) = exp(-d² / 2h²).

    Parameters
    ----------
    distances : array-like
        Non-negative; infinite for what has no text.
    bandwidth : float
        h, in the units of `distances`.

    Returns
    -------
    ndarray of the shape of `distances`
        In [0, 1]; 1 at distance zero, 0 at infinity.
    """
    h = check_positive(bandwidth, "bandwidth", "a positive number, for instance 0.25 * median distance")
    scaled = as_floats(distances, "distances") / h
    if np.isnan(scaled).any():
        raise ArrayError("distances have NaN: expected numbers, infinite where there is no text")
    similarity: FloatArray = np.exp(-0.5 * np.minimum(scaled, _FAR) ** 2)
    return similarity


def measure_density(distances: ArrayLike, bandwidth: float) -> FloatArray:
    """Local density ρ_i = Σ_j k(d_ij) of each benchmark, itself included.

    Parameters
    ----------
    distances : array-like of shape (N, N)
    bandwidth : float
        h_dens, in the units of `distances`.

    Returns
    -------
    ndarray of shape (N,)
        At least 1: an isolated benchmark has density 1, n co-located ones n.
    """
    density: FloatArray = gaussian_kernel(check_distances(distances), bandwidth).sum(axis=1)
    return density


def inverse_density_weights(distances: ArrayLike, bandwidth: float) -> FloatArray:
    """Weights u_i = 1/ρ_i, in units of one isolated benchmark.

    The paper's weighting. Near copies share about one benchmark's weight; the share is exact only for a
    group with no other neighbours (see `magnitude_weights` for one that is exact everywhere).

    Parameters
    ----------
    distances : array-like of shape (N, N)
        Angular distances between benchmarks.
    bandwidth : float
        h_dens; the paper takes a quarter of the median distance.

    Returns
    -------
    ndarray of shape (N,)
        In (0, 1].

    Notes
    -----
    Eq. (3), §3.2.

    Examples
    --------
    >>> inverse_density_weights([[0.0, 0.0, 9.0], [0.0, 0.0, 9.0], [9.0, 9.0, 0.0]], bandwidth=0.2).tolist()
    [0.5, 0.5, 1.0]
    """
    return 1.0 / measure_density(distances, bandwidth)


def effective_mass(distances: ArrayLike, bandwidth: float | ArrayLike) -> float | FloatArray:
    """Effective number of benchmarks W = Σ 1/ρ_i, at one bandwidth or along several.

    Parameters
    ----------
    distances : array-like of shape (N, N)
    bandwidth : float or array-like of shape (B,)

    Returns
    -------
    float or ndarray of shape (B,)
        Between 1 (all in one place) and N (all isolated).

    Notes
    -----
    Eq. (3), §3.2; along bandwidths it is the curve of Figure 6a.
    """
    if np.ndim(bandwidth) == 0:
        return float(inverse_density_weights(distances, float(np.asarray(bandwidth))).sum())
    return np.array([inverse_density_weights(distances, float(h)).sum() for h in np.asarray(bandwidth)])


def marginal_mass(distances_to_list: ArrayLike, distances: ArrayLike, bandwidth: float) -> float | FloatArray:
    """What a new benchmark would add to the effective mass.

    Use it to ask whether a benchmark is worth adding: 1 in unoccupied space, 0 on top of an isolated one, and
    slightly negative on top of one whose neighbours it crowds.

    Parameters
    ----------
    distances_to_list : array-like of shape (N,) or (P, N)
        From the new point, or from each of P alternative points, to the list.
    distances : array-like of shape (N, N)
        Within the list.
    bandwidth : float
        Held fixed, at the value of the list without the point.

    Returns
    -------
    float or ndarray of shape (P,)

    Notes
    -----
    Proposition 1, §3.2: ΔW = 1/(1 + Σ k_i) - Σ k_i / (ρ_i (ρ_i + k_i)).

    Examples
    --------
    >>> round(marginal_mass([0.0], [[0.0]], bandwidth=0.2), 12)
    0.0
    """
    rho = measure_density(distances, bandwidth)
    k = gaussian_kernel(distances_to_list, bandwidth)
    if k.ndim not in (1, 2) or k.shape[-1] != rho.size:
        raise ArrayError(f"distances to the list have shape {k.shape}: expected {rho.size} of them, one a benchmark")
    gained = 1.0 / (1.0 + k.sum(axis=-1)) - (k / (rho * (rho + k))).sum(axis=-1)
    return float(gained) if k.ndim == 1 else np.asarray(gained, dtype=np.float64)


def leave_one_out_masses(distances: ArrayLike, bandwidth: float) -> FloatArray:
    """What each listed benchmark contributes: W minus W without it, at fixed bandwidth.

    Parameters
    ----------
    distances : array-like of shape (N, N)
    bandwidth : float

    Returns
    -------
    ndarray of shape (N,)

    Notes
    -----
    §4.2, Figure 3b.
    """
    k = gaussian_kernel(check_distances(distances), bandwidth)
    rho = k.sum(axis=1)
    others = k - np.diag(np.diag(k))
    without = 1.0 / (rho[:, None] - others)  # [j, i]: u_j once i has left
    np.fill_diagonal(without, 0.0)
    masses: FloatArray = (1.0 / rho).sum() - without.sum(axis=0)
    return masses


def group_mass(size: float | ArrayLike, outside: float | ArrayLike) -> float | FloatArray:
    """Mass n / (n + c_G) held together by n co-located benchmarks.

    Parameters
    ----------
    size : float or array-like
        n, how many there are.
    outside : float or array-like
        c_G, the kernel mass their point shares with the rest (`outside_mass`).

    Returns
    -------
    float or ndarray
        Exactly 1 for an isolated group of any size.

    Notes
    -----
    Appendix B.
    """
    mass = np.asarray(size, dtype=np.float64) / (np.asarray(size, dtype=np.float64) + np.asarray(outside))
    return float(mass) if mass.ndim == 0 else mass


def outside_mass(distances: ArrayLike, members: ArrayLike, bandwidth: float) -> float:
    """Kernel mass c_G = Σ_{j ∉ G} k(d(x_G, x_j)) that a co-located group shares with its neighbours.

    Parameters
    ----------
    distances : array-like of shape (N, N)
    members : array-like of int
        Positions of the group; where they are only nearly co-located the mean over them is taken.
    bandwidth : float

    Returns
    -------
    float

    Notes
    -----
    Appendix B.
    """
    matrix = check_distances(distances)
    inside = np.zeros(len(matrix), dtype=bool)
    inside[np.asarray(members)] = True
    if not inside.any():
        raise ArrayError("the group has no members: expected the positions of at least one benchmark")
    return float(gaussian_kernel(matrix[np.ix_(inside, ~inside)], bandwidth).sum(axis=1).mean())
