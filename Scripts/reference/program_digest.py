"""What tells builds of the program apart, for trials that continue where they stopped."""
import hashlib
from pathlib import Path


def program_digest(program: Path) -> str:
    """SHA-256 of the program and of its worker."""
    digest = hashlib.sha256()
    for file in (program, program.parent / "livephoto-media"):
        digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()
