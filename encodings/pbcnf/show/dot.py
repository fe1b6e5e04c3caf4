"""DOT text of a drawing, for graphviz and its kin."""

from pbcnf.show.drawing import Drawing


def dot(drawing: Drawing) -> str:
    """The text; every clause has its number as the id of its edge or of its node."""
    lines = [
        "digraph encoding {",
        f'  label="{drawing.title}\\n{drawing.sizes}"; labelloc=t; rankdir=LR;',
        '  node [fontname="sans-serif", fontsize=11]; edge [dir=both, arrowsize=0.6];',
        "  { rank=same;",
    ]
    lines += [f"    {_variable(drawing, v, 'box')}" for v in range(1, drawing.inputs + 1)]
    lines.append("  }")
    auxiliaries = range(drawing.inputs + 1, drawing.num_vars + 1)
    lines += [f"  {_variable(drawing, v, 'ellipse')}" for v in auxiliaries]
    for index, clause in enumerate(drawing.clauses):
        about = f'id="c{index}", tooltip="{drawing.text(clause)}"'
        if len(clause) == 2:
            # From the lesser variable, so that the layers grow from the inputs.
            tail, head = sorted(clause, key=abs)
            marks = f"arrowtail={_mark(tail)}, arrowhead={_mark(head)}"
            lines.append(f"  v{abs(tail)} -> v{abs(head)} [{marks}, {about}];")
            continue
        lines.append(f'  c{index} [shape=square, label="", width=0.1, style=filled, {about}];')
        last = max(map(abs, clause), default=0)
        for lit in clause:
            if abs(lit) == last and len(clause) > 1:
                lines.append(f"  c{index} -> v{last} [arrowtail=none, arrowhead={_mark(lit)}];")
            else:
                ends = f"arrowtail={_mark(lit)}, arrowhead=none"
                lines.append(f"  v{abs(lit)} -> c{index} [{ends}];")
    return "\n".join([*lines, "}", ""])


def _variable(drawing: Drawing, variable: int, shape: str) -> str:
    return f'v{variable} [label="{drawing.label(variable)}", shape={shape}];'


def _mark(lit: int) -> str:
    return "normal" if lit > 0 else "odot"
