"""Compiles every `.py` under rules/ and bot/search/ that has a `.pxd` beside it.

CENTELLA_BUILD chooses the kind of build:
  (empty)   what players get: optimised, no checks
  bounds    every index into an array, every shift and every division is checked; a bad one stops the program
  sanitize  address and undefined-behaviour sanitizers
  none      nothing is compiled: an editable install, which `build_ext --inplace` completes

A finished build leaves build/compiled-KIND, dated to when it began: a source newer than that is not in the binaries.
"""

import os
import time
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PACKAGES = ("rules", "bot/search")
BUILD = Path("build")
KIND = os.environ.get("CENTELLA_BUILD") or "release"
COMPILE_ARGS = {
    "release": ["-O3", "-g0"],
    "bounds": ["-O2", "-fsanitize=bounds,shift,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"],
    "sanitize": ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"],
}
LINK_ARGS = {"sanitize": ["-fsanitize=address,undefined"]}


def compiled_sources() -> list[Path]:
    """The modules to compile, as paths from the root."""
    headers = (header for package in PACKAGES for header in sorted(Path(package).rglob("*.pxd")))
    sources = [header.with_suffix(".py") for header in headers if header.stem != "__init__"]
    return [source for source in sources if source.exists()]


def extensions() -> list[Extension]:
    from Cython.Build import cythonize  # an editable install without compiling has no need of it

    checked = KIND != "release"
    modules = [
        Extension(
            ".".join(source.with_suffix("").parts),
            [str(source)],
            include_dirs=[str(source.parent)],
            depends=[str(header) for header in source.parent.glob("*.h")],
            extra_compile_args=COMPILE_ARGS[KIND],
            extra_link_args=LINK_ARGS.get(KIND, []),
        )
        for source in compiled_sources()
    ]
    directives = {
        "language_level": 3,
        "binding": True,
        "boundscheck": checked,
        "wraparound": False,
        "initializedcheck": checked,
        "cdivision": True,
    }
    folder = str(BUILD / f"cython-{KIND}")
    return cythonize(modules, build_dir=folder, compiler_directives=directives, nthreads=os.cpu_count() or 1)


class BuildKernel(build_ext):
    """Keeps binaries of one kind only in the tree, and dates the build."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.inplace:
            self.build_lib = str(BUILD / f"lib-{KIND}")
            self.build_temp = str(BUILD / f"objects-{KIND}")

    def run(self) -> None:
        self.parallel = self.parallel or os.cpu_count()
        started = time.time()
        stamp = BUILD / f"compiled-{KIND}"
        if self.inplace and any(other != stamp for other in BUILD.glob("compiled-*")):
            self._forget_other_kinds()
        super().run()
        if self.inplace:
            BUILD.mkdir(exist_ok=True)
            stamp.touch()
            os.utime(stamp, (started, started))

    def _forget_other_kinds(self) -> None:
        for source in compiled_sources():
            Path(self.get_ext_fullpath(".".join(source.with_suffix("").parts))).unlink(missing_ok=True)
        for stamp in BUILD.glob("compiled-*"):
            stamp.unlink()


if __name__ == "__main__":
    if KIND not in {*COMPILE_ARGS, "none"}:
        raise SystemExit(f"CENTELLA_BUILD={KIND}: expected bounds, sanitize, none, or nothing")
    setup(ext_modules=[] if KIND == "none" else extensions(), cmdclass={"build_ext": BuildKernel})
