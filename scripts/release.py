"""Makes a release: writes the version into all manifests and the changelog, commits this and tags the commit.

    release.py VERSION    such as 1.2.3; then run `make package`, which makes the packages to publish

Refuses a tree with changes, a version that is not above the current one, a changelog without news, and a stale docs/trust.md.
"""

import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = ROOT / "CHANGELOG.md"
MANIFESTS = [ROOT / "Cargo.toml", *sorted(ROOT.glob("crates/*/Cargo.toml"))]
PACKAGE = ROOT / "js/package.json"
POMS = [ROOT / "java/pom.xml", *sorted(ROOT.glob("java/*/pom.xml"))]
LOCKED = [ROOT / "Cargo.toml", ROOT / "bench/Cargo.toml", ROOT / "fuzz/Cargo.toml"]
# Their workspaces are complete only in the folders that `make integrations` sets up.
LAID_OUT = sorted(ROOT.glob("integrations/*/Cargo.lock"))


def stop(reason):
    sys.exit(f"release: {reason}")


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def numbers(version):
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        stop(f"{version!r} is no version such as 1.2.3")
    return tuple(map(int, version.split(".")))


def renewed_changelog(text, version, date):
    head, found, rest = text.partition("## Unreleased\n")
    news, _, _ = rest.partition("\n## ")
    if not found or not news.strip():
        stop("CHANGELOG.md has nothing under Unreleased")
    return f"{head}## Unreleased\n\n## {version} ({date})\n{rest}"


def main(version):
    today = re.search(r'(?m)^version = "([\d.]+)"$', MANIFESTS[0].read_text())[1]
    if numbers(version) <= numbers(today):
        stop(f"{version} is not above {today}")
    if run("git", "status", "--porcelain"):
        stop("the tree has changes: commit them first")
    current = subprocess.run([sys.executable, "scripts/trust.py", "--current"], cwd=ROOT, capture_output=True, text=True)
    if current.returncode:
        stop(current.stderr.strip())
    changelog = renewed_changelog(CHANGELOG.read_text(), version, datetime.date.today().isoformat())
    for manifest in MANIFESTS:
        text = manifest.read_text()
        text = re.sub(rf'(?m)^version = "{re.escape(today)}"$', f'version = "{version}"', text)
        # The versions that the crates require of each other.
        text = re.sub(rf'(path = "\.\./[\w-]+", version = )"{re.escape(today)}"', rf'\g<1>"{version}"', text)
        manifest.write_text(text)
    for pom in POMS:
        pom.write_text(pom.read_text().replace(f"<version>{today}</version>", f"<version>{version}</version>"))
    PACKAGE.write_text(PACKAGE.read_text().replace(f'"version": "{today}"', f'"version": "{version}"'))
    CHANGELOG.write_text(changelog)
    for manifest in LOCKED:
        run("cargo", "update", "--offline", "--manifest-path", str(manifest), "--package", "moduli")
    for lock in LAID_OUT:
        lock.write_text(re.sub(rf'(?m)^(name = "moduli(?:-kernel)?"\nversion = )"{re.escape(today)}"$', rf'\g<1>"{version}"', lock.read_text()))
    # The C header contains the version.
    run("cargo", "run", "--quiet", "--offline", "--package", "moduli-header", "--", "--write")
    run("git", "commit", "--all", "--message", f"Release {version}")
    run("git", "tag", "--annotate", f"v{version}", "--message", f"moduli {version}")
    print(f"committed and tagged v{version}: make package")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
