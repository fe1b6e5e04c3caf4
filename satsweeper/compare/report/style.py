"""How the page looks: one style sheet, light and dark, on paper too."""

from satsweeper.compare.report.svg import SERIES

_LIGHT = "".join(f"--s{at}:{light};" for at, (light, _) in enumerate(SERIES))
_DARK = "".join(f"--s{at}:{dark};" for at, (_, dark) in enumerate(SERIES))

STYLE = (
    """
:root { color-scheme: light dark; --ground: #ffffff; --text: #1c2126; --soft: #59626b;
  --rule: #d5dadf; --band: #f4f6f8; --alarm: #a3101f; """
    + _LIGHT
    + """ }
@media (prefers-color-scheme: dark) { :root { --ground: #14181c; --text: #e4e8ec; --soft: #a3adb7;
  --rule: #3a434c; --band: #1d2329; --alarm: #ff8a92; """
    + _DARK
    + """ } }
@media print { :root { color-scheme: light; --ground: #ffffff; --text: #000000; --soft: #444444;
  --rule: #cccccc; --band: #f4f4f4; --alarm: #a3101f; """
    + _LIGHT
    + """ } section, figure { break-inside: avoid; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--ground);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 3rem 0 .25rem; padding-top: 1rem;
  border-top: 1px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { max-width: 70ch; margin: .5rem 0; }
.soft { color: var(--soft); }
.alarm { color: var(--alarm); font-weight: 600; }
section.alarm { border-left: .3rem solid var(--alarm); padding-left: 1rem; font-weight: 400; }
.scroll { overflow-x: auto; margin: .75rem 0 1.25rem; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--s0); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0 .4rem; white-space: nowrap; }
td { white-space: nowrap; } td.words { white-space: normal; }
th, td { padding: .3rem .9rem .3rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
thead th { color: var(--soft); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 500; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
.words { min-width: 14rem; }
details { margin: .75rem 0; }
summary { cursor: pointer; }
.plots { display: grid; gap: 2rem 2.5rem; align-items: start; margin: 1rem 0;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
.square { grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
figure { margin: 0; min-width: 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { font-size: .9rem; margin-top: .4rem; }
figcaption strong { display: block; }
pre { background: var(--band); padding: .75rem 1rem; overflow-x: auto; font-size: .85rem;
  line-height: 1.45; }
code { font-family: ui-monospace, monospace; }
"""
)
