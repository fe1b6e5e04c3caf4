"""Bad input to a script: a line on standard error, and the exit code."""

from importlib import import_module
from pathlib import Path

import pytest

CASES = [
    line.split(" | ")
    for line in """\
bench_certified_odds | nowhere.txt | 1 | bench_certified_odds:
bench_certify | . --classes nobody | 1 | nobody.ms.gz
bench_certify | . --limit 0 | 2 | 1 at least
bench_certify | . --repeat many | 2 | invalid positive value: 'many'
bench_classify | . --contenders nobody | 1 | no contender 'nobody'
bench_classify | . --classes none | 1 | none.ms.gz
bench_encode | --encoders nobody | 2 | no 'nobody' (there are direct,
bench_encode | --parts all | 2 | no 'all' (there are clues, large, single, weighted)
bench_encode | --update nowhere.md | 1 | No such file or directory: 'nowhere.md'
bench_encode | --sizes 7 | 2 | 8 at least
bench_encode | --time-limit nan | 2 | more than 0
bench_hard_boards | -o out --families nobody | 2 | nobody
bench_hard_boards | -o out --limit 0 | 2 | --limit
bench_hard_boards |  | 2 | -o
bench_odds | . --limit 0 | 2 | 1 at least
bench_solve | --contenders auto,rc3 | 2 | no 'rc3'
bench_solve | --kinds knapsacks | 2 | unknown kind 'knapsacks'
draw_encoding | totalizer --upper 1 | 2 | --n or --weights is needed
draw_encoding | totalizer --n 4 | 2 | --lower or --upper is needed
draw_encoding | totalizer --n 2 --weights 1,1,1 --upper 1 | 2 | --n 2 and 3 weights
fuzz_positions | --positions 0 | 2 | --positions
fuzz_positions | --share nothing=1 | 2 | --share
fuzz_positions | --share odds=2 | 2 | --share
make_release | --nonsense | 2 | unrecognized arguments
measure_coverage | --boards 30x16 | 1 | board '30x16': COLUMNSxROWS/MINES is needed
measure_coverage | --boards 4x4/14 | 1 | 14 mines: first click 'opening' leaves room for 12
measure_coverage | --methods luck | 2 | no 'luck'
mutate_certificates | --count 0 | 2 | --count
mutate_odds | --boards x | 2 | --boards
table_encoders | --against libfoo | 2 | no 'libfoo'""".splitlines()
]


@pytest.mark.parametrize(("script", "words", "code", "message"), CASES)
def test_bad_input_is_refused_with_a_message(
    script: str,
    words: str,
    code: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        ended = import_module(f"scripts.{script}").main(words.split())
    except SystemExit as exit_:
        ended = exit_.code
    captured = capsys.readouterr()
    assert ended == int(code)
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert not list(tmp_path.iterdir())
