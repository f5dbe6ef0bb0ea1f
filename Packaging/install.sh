#!/bin/sh
# Installs locwatch with its manual page, its completions and its two services, which stay off; --uninstall removes exactly these files.
#
# Usage: install.sh [--uninstall]      PREFIX (/usr/local) and DESTDIR (nothing) come from the environment
#
# Without root: PREFIX=$HOME/.local ./install.sh
set -eu

prefix=${PREFIX:-/usr/local}
case $prefix in
    /*) ;;
    *)
        echo "install.sh: invalid PREFIX '$prefix': expected an absolute path" >&2
        exit 64
        ;;
esac
root=${DESTDIR:-}$prefix
umask 022
files='bin/locwatch
    share/man/man1/locwatch.1.gz
    share/bash-completion/completions/locwatch
    share/zsh/site-functions/_locwatch
    share/fish/vendor_completions.d/locwatch.fish
    share/doc/locwatch/copyright
    share/doc/locwatch/examples/publish.conf.example
    share/doc/locwatch/examples/web.conf.example'
units='locwatch-web.service locwatch-publish@.service'
# systemd looks for units of packages below these two.
case $prefix in
    /usr | /usr/local) for unit in $units; do files="$files lib/systemd/system/$unit"; done ;;
esac

# Whether this is root of a machine that systemd has booted, and the files are for this machine.
manages_services() { [ -z "${DESTDIR:-}" ] && [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ]; }

if [ "${1:-}" = --uninstall ]; then
    if manages_services; then
        systemctl list-units --all --plain --no-legend locwatch-web.service 'locwatch-publish@*.service' | while read -r unit _; do
            systemctl disable --now "$unit"
        done
    fi
    for file in $files; do rm -fv "$root/$file"; done
    rmdir "$root/share/doc/locwatch/examples" "$root/share/doc/locwatch" 2>/dev/null || true
else
    cd "$(dirname "$0")"
    if ! mkdir -p "$root/bin" 2>/dev/null || [ ! -w "$root/bin" ]; then
        # shellcheck disable=SC2016  # the shell of the reader expands it
        echo "install.sh: cannot write to $root: run it as root, or with "'PREFIX=$HOME/.local' >&2
        exit 77
    fi
    for file in $files; do
        mode=644
        if [ "$file" = bin/locwatch ]; then mode=755; fi
        install -D -m "$mode" "$file" "$root/$file"
        case $file in
            # The units name the places of a package.
            *.service) sed -i "s|/usr/bin/locwatch|$prefix/bin/locwatch|; s|/usr/share/doc|$prefix/share/doc|" "$root/$file" ;;
        esac
        echo "installed $root/$file"
    done
fi
if manages_services; then systemctl daemon-reload; fi
