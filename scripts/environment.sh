# Sourced by scripts/run and scripts/test: makes .venv, installs the project into it, keeps both
# up to date. Silent unless something fails. Works in bash 3.2 and later.
#
# Its notes live in .venv/satsweeper:
#   lock         held while anything below is changed
#   making       we began to make this environment and have not ended
#   made         we made it; holds the directory it was made for
#   installing   an installation began and has not ended
#   installed    the last installation; installed-dev: the last one with the development tools
#   log          what the last installation said

set -euo pipefail
unset CDPATH
# What the caller's environment holds must not leak into ours.
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER PIP_REQUIRE_VIRTUALENV
# A closed standard input would lend its number to the first file that is opened.
{ : <&0; } 2>/dev/null || exec </dev/null

script=$(readlink -f -- "${BASH_SOURCE[0]}" 2>/dev/null || printf '%s' "${BASH_SOURCE[0]}")
root=$(cd -- "$(dirname -- "$script")/.." && pwd -P)
venv=$root/.venv
notes=$venv/satsweeper

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# With -I Python does not look for modules in the current folder, which may be anyone's.

# Prints the first Python that is new enough and can make an environment.
find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
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

# $1: the stamp. True if the environment is whole and newer than the project file.
current() {
    [ ! -e "$notes/installing" ] && [ -x "$venv/bin/python" ] && [ -x "$venv/bin/satsweeper" ] &&
        [ -e "$notes/$1" ] && [ ! "$root/pyproject.toml" -nt "$notes/$1" ] &&
        [ "$(cat "$notes/$1")" = "$root" ]
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

# $1: the stamp; $2: what to install, as in ".[dev]".
install_project() {
    : >"$notes/installing"
    # Stamped with the time before: a project file changed meanwhile is installed next time.
    printf '%s\n' "$root" >"$notes/stamp"
    (cd -- "$root" && "$venv/bin/python" -I -m pip install --quiet --disable-pip-version-check \
        --no-input -e "$2") </dev/null >"$notes/log" 2>&1 || {
        # pip gave up in good order; only a killed one leaves things half done.
        rm -f "$notes/installing"
        cat "$notes/log" >&2
        fail "SatSweeper: the installation into $venv failed"
    }
    [ "$1" = installed ] || cp -p "$notes/stamp" "$notes/installed"
    mv -f "$notes/stamp" "$notes/$1"
    rm -f "$notes/installing"
}

# $1: the stamp; $2: what to install. Leaves a whole, current environment in $venv.
prepare() {
    if current "$1"; then return; fi
    local python=$venv/bin/python
    usable || python=$(find_python)
    mkdir -p "$notes"
    # The lock belongs to descriptor 9: ours until that is closed, and never left behind.
    exec 9>"$notes/lock"
    "$python" -I -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)' </dev/null 2>/dev/null ||
        printf 'SatSweeper: %s cannot be locked; do not start it twice now\n' "$notes" >&2
    if ! current "$1"; then
        if missing; then make_environment; fi
        install_project "$1" "$2"
    fi
    exec 9>&-
}
