# Sourced by scripts/run and scripts/test: makes .venv, installs the project into it, keeps both
# up to date. A line on standard error says what is being installed before anybody has to wait;
# nothing is written to standard output. Works in bash 3.2 and later.
#
# What is installed are the versions in scripts/constraints.txt, with which the tests have passed.
# SATSWEEPER_VERSIONS=oldest takes the lowest ones that pyproject.toml allows, in .venv-oldest,
# and SATSWEEPER_VERSIONS=newest the highest ones, in .venv-newest.
#
# The notes of an environment live in its folder satsweeper:
#   lock         held while anything below is changed
#   making       we began to make this environment and have not ended
#   made         we made it; holds the directory it was made for
#   installing   an installation began and has not ended
#   installed    the last installation; installed-dev: the extra dev is part of it
#   lowest.txt   the lowest versions, where these are wanted
#   log          what the last installation said

set -euo pipefail
unset CDPATH
# What the caller's environment holds must not leak into ours.
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER PIP_REQUIRE_VIRTUALENV
# A closed standard input would lend its number to the first file that is opened.
{ : <&0; } 2>/dev/null || exec </dev/null

script=$(readlink -f -- "${BASH_SOURCE[0]}" 2>/dev/null || printf '%s' "${BASH_SOURCE[0]}")
root=$(cd -- "$(dirname -- "$script")/.." && pwd -P)
versions=${SATSWEEPER_VERSIONS:-}
venv=$root/.venv${versions:+-$versions}
notes=$venv/satsweeper
constraints=$root/scripts/constraints.txt

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

case $versions in
    "" | oldest | newest) ;;
    *) fail "SATSWEEPER_VERSIONS=$versions is not known: oldest, newest or nothing" ;;
esac

# Prints the first Python that is new enough and can make an environment. For the lowest and the
# newest versions that is the oldest Python: old releases have no wheels for newer ones, and what it
# can install every other one can. Every Python here is called with -I, so that it does not look for
# modules in the current folder, which may be anyone's.
find_python() {
    local candidate names="python3.13 python3.12 python3.11 python3"
    [ -z "$versions" ] || names="python3.11 python3.12 python3.13 python3"
    for candidate in "${PYTHON:-}" $names; do
        if [ -n "$candidate" ] && "$candidate" -I -c \
            'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
            </dev/null >/dev/null 2>&1; then
            printf '%s' "$candidate"
            return
        fi
    done
    fail "SatSweeper needs Python 3.11 or later with its venv module (on Debian and Ubuntu:" \
        "apt install python3-venv). Tried: ${PYTHON:+$PYTHON, }python3.13, python3.12," \
        "python3.11, python3. Name another one with PYTHON=/path/to/python."
}

usable() {
    "$venv/bin/python" -I -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' \
        </dev/null >/dev/null 2>&1
}

# True if the environment has to be made, be it for the first time or again. One that somebody
# else made is kept as long as it works.
missing() {
    if [ -e "$notes/making" ]; then return 0; fi
    if [ -e "$notes/made" ]; then
        [ -e "$notes/installing" ] || [ "$(cat "$notes/made")" != "$root" ] || ! usable
        return
    fi
    usable && return 1
    # Other tools make environments without pip.
    "$venv/bin/python" -I -m ensurepip </dev/null >/dev/null 2>&1
    ! usable
}

# $1: the stamp. True if the environment is whole and newer than what says what is in it.
current() {
    [ ! -e "$notes/installing" ] && [ -x "$venv/bin/python" ] && [ -x "$venv/bin/satsweeper" ] &&
        [ -e "$notes/$1" ] && [ ! "$root/pyproject.toml" -nt "$notes/$1" ] &&
        [ ! "$constraints" -nt "$notes/$1" ] && [ "$(cat "$notes/$1")" = "$root" ]
}

make_environment() {
    local python
    python=$(find_python)
    : >"$notes/making"
    # Only the notes stay: whatever else is here is the rest of an attempt that was cut short.
    find "$venv" -mindepth 1 -maxdepth 1 ! -name satsweeper -exec rm -rf {} +
    rm -f "$notes"/made "$notes"/install*
    "$python" -I -m venv "$venv" </dev/null >"$notes/log" 2>&1 || {
        cat "$notes/log" >&2
        fail "SatSweeper: $python could not make $venv"
    }
    printf '%s\n' "$root" >"$notes/made"
    rm -f "$notes/making"
}

# The arguments: those of pip install. Installs in the versions that are wanted.
pip_install() {
    local wanted
    case $versions in
        oldest) wanted=(--constraint "$notes/lowest.txt") ;;
        newest) wanted=(--upgrade --upgrade-strategy eager) ;;
        *) wanted=(--constraint "$constraints") ;;
    esac
    "$venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-input \
        "${wanted[@]}" "$@" </dev/null >"$notes/log" 2>&1
}

# $1: an extra, or nothing. Installs the project with that extra and those that it has already: an
# extra that stayed behind would have versions that nobody has tried with the others.
install_project() {
    local stamp extras=$1
    for stamp in "$notes"/installed-*; do
        [ ! -e "$stamp" ] || extras=$extras,${stamp##*/installed-}
    done
    extras=${extras#,}
    : >"$notes/installing"
    # Stamped with the time before: a file changed meanwhile is installed next time.
    printf '%s\n' "$root" >"$notes/stamp"
    [ "$versions" != oldest ] ||
        "$venv/bin/python" "$root/scripts/lowest_versions.py" >"$notes/lowest.txt"
    # What builds the project comes first: in an isolated build no constraint would reach it.
    (cd -- "$root" && pip_install hatchling &&
        pip_install --no-build-isolation -e ".${extras:+[$extras]}") || {
        # pip gave up in good order; only a killed one leaves things half done.
        rm -f "$notes/installing"
        cat "$notes/log" >&2
        fail "SatSweeper: the installation into $venv failed"
    }
    for stamp in "$notes"/installed-* "$notes/installed${1:+-$1}" "$notes/installed"; do
        case $stamp in *'*') ;; *) cp -p "$notes/stamp" "$stamp" ;; esac
    done
    rm -f "$notes/stamp" "$notes/installing"
}

# $1: an extra, or nothing; $2: anything, if the environment has to be made. Says on standard error
# what is going to take long.
announce() {
    local name=${venv##*/} doing long="half a minute or so"
    [ "$1" != dev ] || long="some minutes"
    if [ -n "$2" ]; then
        doing="making $name and installing into it"
    elif [ ! -e "$notes/installed${1:+-$1}" ]; then
        doing="installing ${1:+what the extra $1 needs }into $name"
    else
        doing="bringing $name up to date"
    fi
    printf 'SatSweeper: %s (%s, this once)\n' "$doing" "$long" >&2
}

# $1: an extra, or nothing; $2: anything, if the caller has said what is installed. Leaves a whole,
# current environment in $venv.
prepare() {
    local stamp=installed${1:+-$1} said=${2:-} new="" python=$venv/bin/python
    if current "$stamp"; then return; fi
    usable || python=$(find_python)
    mkdir -p "$notes"
    # The lock belongs to descriptor 9: ours until that is closed, and never left behind.
    exec 9>"$notes/lock"
    "$python" -I - "${venv##*/}" <<'END' >&2 2>/dev/null ||
import fcntl, sys
try:
    fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print(f"SatSweeper: waiting for what is being installed into {sys.argv[1]}", flush=True)
    fcntl.flock(9, fcntl.LOCK_EX)
END
        printf 'SatSweeper: %s cannot be locked; do not start it twice now\n' "$notes" >&2
    if ! current "$stamp"; then
        if missing; then new=yes; fi
        [ -n "$said" ] || announce "$1" "$new"
        [ -z "$new" ] || make_environment
        install_project "$1"
    fi
    exec 9>&-
}
