"""Clusters on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from assay.cli.screens.tables import indented, plain_table
from assay.suggest import counted
from assay.terminal import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from assay.clustering.choice import ClusterNumberChoice
    from assay.clustering.texts import Clustering

__all__ = ["show_clusters"]


def show_clusters(clustering: Clustering, console: Console) -> None:
    """The clusters with their words and the text nearest to each centre; then how good they are."""
    corpus = clustering.corpus
    if clustering.choice is not None:
        show_choice(clustering.choice, console)
    console.print(
        Text(
            f"{counted(len(clustering.clusters), 'cluster', 'clusters')} of {counted(len(corpus), 'text', 'texts')}",
            style="bold",
        )
    )
    table = plain_table()
    for heading in ("", "texts", "share"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(f"telling {clustering.unit}, and the most typical text", overflow="fold")
    for cluster in clustering.clusters:
        words = Text(", ".join(one_line(item.ngram, 40) for item in cluster.telling[:6]), style="bold")
        if cluster.labels:
            label, n = cluster.labels[0]
            words.append(f"  ({one_line(label, 40)} {n / cluster.size:.0%})", style="not bold")
        shown = Text("\n").join([words, *(Text(one_line(corpus[row].text, 58)) for row in cluster.typical[:1])])
        share = f"{cluster.size / len(corpus):.1%}"
        table.add_row(str(cluster.number), f"{cluster.size:,}", share, shown)
    console.print(indented(table))
    if clustering.n_unassigned:
        left = counted(clustering.n_unassigned, "text is", "texts are")
        console.print(f"  {left} in none, having no word that other texts have, too.")
    if clustering.silhouette is not None:
        low = ": clusters shade into each other, as they do in most texts" if clustering.silhouette < 0.1 else ""
        console.print(f"Silhouette {clustering.silhouette:.3f}{low}.")
    if clustering.agreement is not None:
        found = clustering.agreement
        console.print(
            f"Against the labels, which were not used: NMI {found.nmi:.3f}, ARI {found.ari:.3f}, "
            f"purity {found.purity:.3f}."
        )


def show_choice(choice: ClusterNumberChoice, console: Console) -> None:
    """What was measured for each number of clusters."""
    console.print(Text("How many clusters", style="bold"))
    table = plain_table(numbers=["k", "silhouette", "stability"])
    table.add_column("")
    for item in choice.measured:
        chosen = "chosen" if item.k == choice.k else ""
        table.add_row(str(item.k), f"{item.silhouette:.4f}", f"{item.stability:.2f}", chosen)
    console.print(indented(table))
    console.print(Padding(Text(f"{choice.sentence}."), (0, 0, 1, 2), expand=False))
