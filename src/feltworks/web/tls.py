"""The certificate that the server shows, or why it cannot."""

import ssl
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509

from feltworks.kit.errors import BadValue


def tls_context(cert: Path, key: Path) -> ssl.SSLContext:
    """A certificate, with those that vouch for it after it, and its key, both PEM."""
    try:
        first = x509.load_pem_x509_certificates(cert.read_bytes())[0]
        key.read_bytes()
    except OSError as problem:
        raise BadValue(f"{problem.filename} cannot be read: {problem.strerror}.") from None
    except ValueError:
        raise BadValue(f"{cert} holds no certificate; --tls-cert takes one in PEM.") from None
    now, begins, ends = datetime.now(UTC), first.not_valid_before_utc, first.not_valid_after_utc
    if now >= ends:
        raise BadValue(f"The certificate {cert} has expired: it was good until {ends:%Y-%m-%d %H:%M} UTC. Renew it.")
    if now < begins:
        raise BadValue(f"The certificate {cert} is not good before {begins:%Y-%m-%d %H:%M} UTC.")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key, lambda: "")  # which asks nobody for a passphrase
    except ssl.SSLError as problem:
        if problem.reason == "KEY_VALUES_MISMATCH":
            raise BadValue(f"The key {key} does not belong to the certificate {cert}.") from None
        raise BadValue(
            f"{key} holds no key that can be used; --tls-key takes one in PEM, without passphrase."
        ) from None
    return context
