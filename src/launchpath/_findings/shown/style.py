"""The style of the page: light and dark, from a phone to a wide screen, without a file, a font or a script."""

from __future__ import annotations

# Pairs of a light and a dark colour. Text has a contrast of 4.5:1 or more on what is behind it, drawings of 3:1.
COLOURS = {
    "page": ("#ffffff", "#0d1117"),
    "panel": ("#f6f8fa", "#161b22"),
    "edge": ("#d0d7de", "#3d444d"),
    "text": ("#1f2328", "#e6edf3"),
    "note": ("#4d5561", "#b1bac4"),
    "on": ("#ffffff", "#0d1117"),
    "save": ("#0550ae", "#79c0ff"),
    "kernel": ("#0969da", "#58a6ff"),
    "launch": ("#8250df", "#bc8cff"),
    "copy": ("#1a7f37", "#3fb950"),
    "wait": ("#bc4c00", "#f0883e"),
    "memory": ("#bf3989", "#f778ba"),
    "host": ("#57606a", "#9198a1"),
    "other": ("#6e7781", "#9198a1"),
}

_RULES = """
.F{background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",
sans-serif;max-width:76rem;margin:0 auto;padding:1rem;box-sizing:border-box;overflow-wrap:anywhere;text-align:left}
.F *{box-sizing:border-box}
.F h1{font-size:1.5rem;line-height:1.25;margin:.2rem 0 .4rem}
.F h2{font-size:1.15rem;line-height:1.3;margin:1.8rem 0 .5rem}
.F h3{font-size:1rem;line-height:1.35;margin:0 0 .3rem}
.F p{margin:.3rem 0}
.F code{font:.92em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;color:inherit;
background:none;padding:0}
.F .note{color:var(--note)}
.F ol,.F ul{margin:.3rem 0;padding:0;list-style:none}
.F .plain li{padding-left:1.1rem;position:relative;margin:.3rem 0}
.F .plain li::before{content:"–";position:absolute;left:0;color:var(--note)}
.F .panel{background:var(--panel);border:1px solid var(--edge);border-radius:8px;padding:.8rem;margin:.6rem 0}
.F svg{display:block;width:100%;overflow:hidden}
.F svg text{fill:var(--text);font-size:13px}
.F summary{cursor:pointer;border-radius:6px;list-style:none}
.F summary::-webkit-details-marker{display:none}
.F summary:focus-visible{outline:3px solid var(--save);outline-offset:3px}
.F .finding>summary{display:grid;grid-template-columns:1.4rem 1fr;column-gap:.5rem}
.F .finding>summary>*{grid-column:2;min-width:0}
.F .finding>summary>.number{grid-column:1;grid-row:1;font-weight:700;color:var(--note)}
.F .finding>summary>.sentence{font-weight:600;grid-row:1}
.F .more{color:var(--note);font-size:.9rem}
.F .more::before{content:"▸ "}
.F details[open]>summary .more::before{content:"▾ "}
.F .saving{margin-top:.35rem}
.F .inside{margin:.7rem 0 .1rem 1.9rem}
.F table{border-collapse:collapse;font-size:.92rem;margin:.3rem 0;background:none;color:inherit}
.F th,.F td{text-align:left;vertical-align:top;padding:.2rem .9rem .2rem 0;border:0;border-bottom:1px solid var(--edge);
background:none;color:inherit}
.F td.right,.F th.right{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.F dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem .9rem;margin:.2rem 0}
.F dt{color:var(--note)}
.F dd{margin:0;font-variant-numeric:tabular-nums}
.F .cause{display:grid;grid-template-columns:12rem 1fr 8.5rem;gap:0 .8rem;align-items:center;margin:.3rem 0}
.F .cause>.amount{text-align:right;font-variant-numeric:tabular-nums}
.F .legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;font-size:.9rem;color:var(--note);margin:.5rem 0 .2rem}
.F .legend li{display:flex;align-items:center;gap:.4rem}
.F .legend svg{width:26px;height:16px;flex:none}
.F .base{fill:var(--edge)}
.F .save{fill:var(--save);stroke:var(--save);stroke-width:1}
.F .whisker{stroke:var(--text);stroke-width:1.5}
.F .grid{stroke:var(--edge);stroke-width:1}
.F .path{stroke:var(--text);stroke-width:1.5;fill:none}
.F .mark{fill:var(--text);stroke:var(--text);stroke-width:1}
.F svg text.tick{fill:var(--note);font-size:12px}
.F svg text.in{font-size:11px}
.F svg text.on{fill:var(--on)}
.F svg text.over{stroke:var(--panel);stroke-width:4px;paint-order:stroke;stroke-linejoin:round}
.F .wide{display:none}
@media (min-width:900px){.F .wide{display:inline}
.F .finding>summary{grid-template-columns:1.4rem 1fr 17rem}
.F .finding>summary>.saving{grid-column:3;grid-row:1 / span 3;margin-top:.1rem}}
@media (max-width:520px){.F{padding:.7rem}.F .inside{margin-left:0}
.F .cause{grid-template-columns:1fr auto}.F .cause>svg{grid-column:1 / -1;grid-row:2}
.F .cause>.amount{grid-column:2;grid-row:1}}
@media print{.F .panel{break-inside:avoid}}
"""


def style() -> str:
    """Give the rules, all of which begin with the class of the report: in a notebook nothing else is touched."""
    light, dark = (
        ".F{" + "".join(f"--{name}:{pair[number]};" for name, pair in COLOURS.items()) + f"color-scheme:{scheme}}}"
        for number, scheme in enumerate(("light", "dark"))
    )
    kinds = "".join(
        f".F .{name}{{fill:var(--{name});stroke:var(--{name});stroke-width:1}}"
        for name in ("kernel", "launch", "copy", "wait", "memory", "host", "other")
    )
    # Those that are not solid: their pattern has the colour too
    patterns = "".join(
        f".F rect.{name}{{fill:url(#lp-{name})}}" for name in ("copy", "wait", "memory", "host", "other")
    )
    rules = f"{light}@media (prefers-color-scheme: dark){{{dark}}}{kinds}{patterns}{_RULES}"
    return rules.replace(".F", ".launchpath-findings").replace("\n", "")
