"""When is a rare label worth giving? F1 of one label, and the three averages, as its threshold moves.

Try: another threshold for both labels, or a label that no probability tells.
"""

from assay import textbook

news = [0.9, 0.8, 0.7, 0.6, 0.3, 0.2, 0.6, 0.1]
art = [0.1, 0.4, 0.05, 0.35, 0.3, 0.1, 0.02, 0.25]
gold = [{"news"}, {"news", "art"}, {"news"}, {"news", "art"}, {"art"}, set(), {"news"}, set()]

best = textbook.label_threshold(art, ["art" in labels for labels in gold])
print(f"art: best from {best.threshold:.3f} on, F1 {best.f1:.3f}")
for threshold in (0.5, best.threshold, 0.15):
    said = [
        {label for label, p, cut in (("news", n, 0.5), ("art", a, threshold)) if p >= cut}
        for n, a in zip(news, art, strict=True)
    ]
    found = textbook.set_averages(gold, said)
    print(f"from {threshold:.3f}: micro {found.micro:.3f}, macro {found.macro:.3f}, samples {found.samples:.3f}")
