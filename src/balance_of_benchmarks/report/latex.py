"""Words as LaTeX takes them."""

from __future__ import annotations

from typing import Final

__all__ = ["escape_latex"]

_ESCAPED: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"$<$",
        ">": r"$>$",
        "−": r"$-$",
        "θ": r"$\theta$",
        "σ": r"$\sigma$",
        "τ": r"$\tau$",
        "ρ": r"$\rho$",
        "Δ": r"$\Delta$",
        "²": r"$^2$",
        "†": r"$^\dagger$",
        "*": r"$^{*}$",
        "Ī": r"$\bar I$",
    }
)


def escape_latex(words: str) -> str:
    r"""Write words so that LaTeX prints them as they are.

    Parameters
    ----------
    words : str

    Returns
    -------
    str

    Examples
    --------
    >>> escape_latex("R² of a_i: 5 %")
    'R$^2$ of a\\_i: 5 \\%'
    """
    return words.translate(_ESCAPED)
