# Sourced by scripts/run and scripts/test: makes .venv, installs the project into .venv, and keeps
# both up to date. Before an installation begins, a line on standard error announces the
# installation; nothing is written to standard output. Works in bash 3.2 and later.
#
# Packages are installed in the versions of scripts/constraints.txt, with which the tests passed.
# SATSWEEPER_VERSIONS=oldest installs the lowest versions that pyproject.toml allows, in
# .venv-oldest, and SATSWEEPER_VERSIONS=newest the highest versions, in .venv-newest.
#
# The state of an environment is kept as files in its folder satsweeper:
#   lock         locked while any other file of this list is changed
#   making       the making of the environment has begun and not ended
#   made         this script made the environment; holds the checkout for which it was made
#   installing   an installation has begun and not ended
#   installed    stamp of the last installation; installed-dev: of the last with the extra dev
#   lowest.txt   the lowest versions, for SATSWEEPER_VERSIONS=oldest
#   log          the output of the last call of pip

set -euo pipefail
unset CDPATH
# Variables of the caller must not change which packages are found or where pip installs.
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER PIP_REQUIRE_VIRTUALENV
# If standard input is closed, the next opened file would get its number: open the null device.
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
# newest versions the oldest Python is tried first: old releases of packages have no wheels for
# newer Pythons, and every newer Python can install the versions that the oldest one can. Every
# Python is called with -I, so that no modules are imported from the current folder.
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

# True if the environment has to be made, for the first time or again. An environment that this
# script did not make is kept as long as it works.
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

# $1: the name of a stamp. True if no installation was interrupted, and the stamp is newer than the
# two files that determine the packages: pyproject.toml and the constraints.
current() {
    [ ! -e "$notes/installing" ] && [ -x "$venv/bin/python" ] && [ -x "$venv/bin/satsweeper" ] &&
        [ -e "$notes/$1" ] && [ ! "$root/pyproject.toml" -nt "$notes/$1" ] &&
        [ ! "$constraints" -nt "$notes/$1" ] && [ "$(cat "$notes/$1")" = "$root" ]
}

make_environment() {
    local python
    python=$(find_python)
    : >"$notes/making"
    # All files but those of the folder satsweeper are removed: they are of an unfinished attempt.
    find "$venv" -mindepth 1 -maxdepth 1 ! -name satsweeper -exec rm -rf {} +
    rm -f "$notes"/made "$notes"/install*
    "$python" -I -m venv "$venv" </dev/null >"$notes/log" 2>&1 || {
        cat "$notes/log" >&2
        fail "SatSweeper: $python could not make $venv"
    }
    printf '%s\n' "$root" >"$notes/made"
    rm -f "$notes/making"
}

# Arguments: those of pip install. Installs packages in the versions that SATSWEEPER_VERSIONS names.
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

# $1: an extra, or nothing. Installs the project with this extra and all extras installed before:
# otherwise the packages of those extras would keep versions that were not tested with the new ones.
install_project() {
    local stamp extras=$1
    for stamp in "$notes"/installed-*; do
        [ ! -e "$stamp" ] || extras=$extras,${stamp##*/installed-}
    done
    extras=${extras#,}
    : >"$notes/installing"
    # The stamp has the time before the installation: a file that changes during the installation is
    # newer than the stamp, and leads to a new installation.
    printf '%s\n' "$root" >"$notes/stamp"
    [ "$versions" != oldest ] ||
        "$venv/bin/python" "$root/scripts/lowest_versions.py" >"$notes/lowest.txt"
    # The build tool is installed first and used without isolation, as constraints do not apply to
    # isolated builds.
    (cd -- "$root" && pip_install hatchling &&
        pip_install --no-build-isolation -e ".${extras:+[$extras]}") || {
        # pip failed and cleaned up; only a pip that was killed leaves half an installation.
        rm -f "$notes/installing"
        cat "$notes/log" >&2
        fail "SatSweeper: the installation into $venv failed"
    }
    for stamp in "$notes"/installed-* "$notes/installed${1:+-$1}" "$notes/installed"; do
        case $stamp in *'*') ;; *) cp -p "$notes/stamp" "$stamp" ;; esac
    done
    rm -f "$notes/stamp" "$notes/installing"
}

# $1: an extra, or nothing; $2: not empty if the environment has to be made. Announces the
# installation on standard error.
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

# $1: an extra, or nothing; $2: not empty if the caller has announced the installation. Makes or
# updates the environment $venv if needed.
prepare() {
    local stamp=installed${1:+-$1} said=${2:-} new="" python=$venv/bin/python
    if current "$stamp"; then return; fi
    usable || python=$(find_python)
    mkdir -p "$notes"
    # The lock belongs to descriptor 9, and ends when the descriptor is closed, at the latest with
    # this process.
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
