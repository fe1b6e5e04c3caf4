r"""Tables for a paper, one a task: plain LaTeX, no package needed.

``\input`` the file where the tables shall stand.
"""

from pbcnf.wording import counted
from satsweeper.compare.report.findings import Findings, TaskFindings
from satsweeper.compare.report.sentences import LETTERS, PAR2, setting
from satsweeper.report.latex import escape_plain, table_row


def latex(found: Findings) -> str:
    """The tables: contenders by PAR-2, those that cannot be told apart with a letter in common."""
    return "\n".join(_table(found, task) for task in found.tasks)


def _table(found: Findings, task: TaskFindings) -> str:
    contest = task.contest
    rows = [["contender", "solved", "PAR-2 [s]", "95 % interval", "tied"]]
    for score in [*task.scores, task.best]:
        par2 = score.par2
        rows.append(
            [
                "virtual best" if score.contender is None else contest.label(score.contender),
                f"{score.solved}/{score.jobs}",
                "-" if par2 is None else f"{par2.mean:.4g}",
                "-" if par2 is None else f"{par2.lower:.4g} to {par2.upper:.4g}",
                "" if score.contender is None else task.letters[score.contender],
            ]
        )
    sweep = found.sweep
    missing = (
        ""
        if sweep.complete
        else f" Incomplete: {len(sweep.results)} of {counted(sweep.jobs, 'job')}."
    )
    caption = f"{contest.title}: {setting(task)}. {PAR2} {LETTERS}{missing}"
    head, *body = [table_row([escape_plain(cell) for cell in row]) for row in rows]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape_plain(caption)}}}",
            r"\begin{tabular}{lrrrl}",
            r"\hline",
            head,
            r"\hline",
            *body[:-1],
            r"\hline",
            body[-1],
            r"\hline",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
