"""DSA, RSA and inversion in residue numbers, compared with OpenSSL and Python."""

import base64
import pickle
import subprocess

import moduli
import pytest
from moduli import dsa, rns, rsa
from numbers_of_tests import below, odd, takes

MESSAGE = b"a message"


def openssl(*arguments, **keywords):
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True, **keywords).stdout


def test_dsa_beside_openssl(tmp_path):
    key = dsa.PrivateKey.generate(moduli.group("dsa-2048-256"))
    signer = dsa.Signer(key, hash="sha384", budget="64KiB", check=True)
    signature = signer.sign(MESSAGE)
    assert signature == signer.sign(MESSAGE)
    (tmp_path / "public").write_text(key.public_key().to_pem())
    (tmp_path / "private").write_text(key.to_pem())
    (tmp_path / "message").write_bytes(MESSAGE)
    (tmp_path / "signature").write_bytes(signature)
    check = ["dgst", "-sha384", "-verify", "public", "-signature", "signature", "message"]
    assert b"OK" in openssl(*check, cwd=tmp_path)
    theirs = openssl("dgst", "-sha384", "-sign", "private", "message", cwd=tmp_path)
    public = dsa.PublicKey.from_pem((tmp_path / "public").read_text())
    assert public.is_valid(MESSAGE, theirs, hash="sha384") and not public.is_valid(MESSAGE, theirs)
    assert dsa.PrivateKey.from_pem(key.to_pem()).to_pem() == key.to_pem()
    assert public.y == signer.public_key().y and pow(public.y, public.q, public.p) == pow(public.g, public.q, public.p) == 1


def test_dsa_refuses():
    key = dsa.PrivateKey.generate(moduli.group("dsa-1024-160"))
    signer, public = dsa.Signer(key), key.public_key()
    signatures = signer.sign_batch([bytes([i]) for i in range(100)])
    assert all(public.is_valid(bytes([i]), signature) for i, signature in enumerate(signatures))
    assert signer.sign_batch([]) == []
    for signature in (b"", b"\x30", signatures[1], signatures[0][:-1], signatures[0] + b"\0", bytes(2000)):
        assert not public.is_valid(bytes([0]), signature)
    for call in (lambda: dsa.Signer(key, hash="sha1"), lambda: dsa.Signer(key, hash="md5"), lambda: dsa.Signer(key, budget=1)):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(ValueError):
        dsa.PrivateKey.generate(moduli.group("ffdhe2048"))
    for kind in (dsa.PrivateKey, dsa.PublicKey, rsa.PrivateKey, rsa.PublicKey):
        with pytest.raises(ValueError):
            kind.from_pem("no key")
    for thing in (key, signer):
        with pytest.raises(TypeError, match="pickled"):
            pickle.dumps(thing)
    assert str(key.public_key().y) not in repr(key) and "1024" in repr(key) + repr(public)


def test_public_keys_are_compared_and_pickled(tmp_path):
    pem = openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024")
    dsa_keys = [dsa.PrivateKey.generate(moduli.group("dsa-1024-160")) for _ in range(2)]
    for key, other in [(dsa_keys[0].public_key(), dsa_keys[1].public_key()), (rsa.PrivateKey.from_pem(pem).public_key(), None)]:
        again = pickle.loads(pickle.dumps(key))
        assert type(again) is type(key) and again == key and hash(again) == hash(key) and again != other and key != 5
        assert again.to_pem() == key.to_pem()
        assert type(key).from_pem(key.to_pem().encode()) == type(key).from_pem(bytearray(key.to_pem(), "ascii")) == key
        for wrong, error in [(5, TypeError), ([1], TypeError), (b"\xff", ValueError)]:
            with pytest.raises(error):
                type(key).from_pem(wrong)
        with pytest.raises(ValueError, match="openssl pkey -inform DER"):
            type(key).from_pem(b"\x30\x82\x01\x22")


def test_verify_raises_and_returns_nothing():
    key = dsa.PrivateKey.generate(moduli.group("dsa-1024-160"))
    rsa_key = rsa.PrivateKey.from_pem(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"))
    for public, signature, other in [
        (key.public_key(), dsa.Signer(key).sign(MESSAGE), {"hash": "sha384"}),
        (rsa_key.public_key(), rsa_key.sign(MESSAGE), {"padding": "pkcs1"}),
    ]:
        assert public.verify(MESSAGE, signature) is None
        assert public.is_valid(MESSAGE, signature) is True and public.is_valid(MESSAGE + b"!", signature) is False
        for message, bad, options in [
            (MESSAGE + b"!", signature, {}),
            (MESSAGE, signature, other),
            (MESSAGE, signature[:-1], {}),
            (MESSAGE, b"", {}),
            (MESSAGE, bytes(len(signature)), {}),
            (MESSAGE, bytes(9000), {}),
        ]:
            with pytest.raises(moduli.InvalidSignature):
                public.verify(message, bad, **options)
            assert public.is_valid(message, bad, **options) is False
        # A wrong argument is not a bad signature.
        for call in (public.verify, public.is_valid):
            with pytest.raises(ValueError) as caught:
                call(MESSAGE, signature, hash="md5")
            assert not isinstance(caught.value, moduli.InvalidSignature)
            with pytest.raises(TypeError):
                call(MESSAGE, 5)
    assert issubclass(moduli.InvalidSignature, ValueError)


def test_messages_are_whatever_has_bytes():
    key = dsa.PrivateKey.generate(moduli.group("dsa-1024-160"))
    signer, public = dsa.Signer(key), key.public_key()
    assert "1024" in repr(signer)
    rsa_key = rsa.PrivateKey.from_pem(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"))
    # The last view skips every other byte.
    kinds = (MESSAGE, bytearray(MESSAGE), memoryview(MESSAGE), memoryview(b"".join(bytes([b, 0]) for b in MESSAGE))[::2])
    for message in kinds:
        signature = signer.sign(message)
        assert signature == signer.sign(MESSAGE) and public.is_valid(message, bytearray(signature))
        assert signer.sign_batch([message, message]) == [signature] * 2
        assert rsa_key.public_key().is_valid(message, memoryview(rsa_key.sign(message, padding="pkcs1")), padding="pkcs1")
    for wrong in ("text", [1, 2], 5, None):
        for call in (signer.sign, rsa_key.sign, lambda each: signer.sign_batch([each]), lambda each: public.verify(each, b""), lambda each: public.is_valid(each, b"")):
            with pytest.raises(TypeError):
                call(wrong)


def test_many_signatures_are_in_order():
    key = dsa.PrivateKey.generate(moduli.group("dsa-1024-160"))
    signer = dsa.Signer(key)
    # More than two pieces; Ctrl-C is checked between pieces.
    messages = [b"%d" % i for i in range(9000)]
    signatures = signer.sign_batch(messages)
    assert len(signatures) == len(set(signatures)) == 9000
    for i in (0, 1, 4095, 4096, 4097, 8191, 8192, 8999):
        assert signatures[i] == signer.sign(messages[i]) and key.public_key().is_valid(messages[i], signatures[i])


@pytest.mark.parametrize("padding", ["pss", "pkcs1"])
def test_many_rsa_signatures_are_in_order(padding):
    key = rsa.PrivateKey.from_pem(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"))
    messages = [b"%d" % i for i in range(700)]
    signatures = key.sign_batch(messages, padding=padding, hash="sha384")
    assert len(signatures) == len(set(signatures)) == 700
    public = key.public_key()
    assert all(map(lambda m, s: public.is_valid(m, s, padding=padding, hash="sha384"), messages, signatures))
    assert key.sign_batch([]) == []
    with pytest.raises(ValueError, match="padding"):
        key.sign_batch(messages, padding="none")


def test_a_signer_that_checks_takes_the_time_for_it():
    key = dsa.PrivateKey.generate(moduli.group("dsa-1024-160"))
    plain, checked = dsa.Signer(key), dsa.Signer(key, check=True)
    assert plain.sign(MESSAGE) == checked.sign(MESSAGE)
    assert takes(0, lambda: plain.sign(MESSAGE), lambda: checked.sign(MESSAGE), 0.5, 200)
    assert takes(0, lambda: plain.sign_batch([MESSAGE] * 4), lambda: checked.sign_batch([MESSAGE] * 4), 0.5, 100)


@pytest.mark.parametrize("padding", ["pss", "pkcs1"])
def test_rsa_beside_openssl(tmp_path, padding):
    (tmp_path / "private").write_bytes(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"))
    key = rsa.PrivateKey.from_pem((tmp_path / "private").read_text())
    public = rsa.PublicKey.from_pem(key.public_key().to_pem())
    (tmp_path / "public").write_text(public.to_pem())
    (tmp_path / "message").write_bytes(MESSAGE)
    signature = key.sign(MESSAGE, padding=padding)
    (tmp_path / "signature").write_bytes(signature)
    options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"] if padding == "pss" else []
    check = ["dgst", "-sha256", "-verify", "public", *options, "-signature", "signature", "message"]
    assert b"OK" in openssl(*check, cwd=tmp_path)
    theirs = openssl("dgst", "-sha256", "-sign", "private", *options, "message", cwd=tmp_path)
    assert public.is_valid(MESSAGE, theirs, padding=padding)
    assert not public.is_valid(MESSAGE + b"!", theirs, padding=padding)
    assert not public.is_valid(MESSAGE, theirs[:-1], padding=padding) and not public.is_valid(MESSAGE, b"", padding=padding)
    m = below(public.n)
    assert public.encrypt_raw(m) == pow(m, public.e, public.n)
    assert key.decrypt_raw(pow(m, public.e, public.n)) == m
    for value in (-1, public.n, public.n + 1):
        for call in (public.encrypt_raw, key.decrypt_raw):
            with pytest.raises(ValueError):
                call(value)
    for keywords in ({"padding": "none"}, {"hash": "sha1"}, {"hash": "md5"}):
        with pytest.raises(ValueError):
            key.sign(MESSAGE, **keywords)
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(key)
    assert "2048" in repr(key) and "2048" in repr(public)


@pytest.mark.parametrize("scheme", ["dsa", "pss", "pkcs1"])
def test_every_hash_beside_openssl(tmp_path, scheme):
    (tmp_path / "message").write_bytes(MESSAGE)
    if scheme == "dsa":
        key = dsa.PrivateKey.generate(moduli.group("dsa-2048-256"))
        (tmp_path / "private").write_text(key.to_pem())
        options, padding, signed = [], {}, lambda name: dsa.Signer(key, hash=name).sign(MESSAGE)
    else:
        (tmp_path / "private").write_bytes(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"))
        key = rsa.PrivateKey.from_pem((tmp_path / "private").read_text())
        options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"] if scheme == "pss" else []
        padding, signed = {"padding": scheme}, lambda name: key.sign(MESSAGE, padding=scheme, hash=name)
    public = key.public_key()
    (tmp_path / "public").write_text(public.to_pem())
    names = ("sha1", "sha224", "sha256", "sha384", "sha512")
    for name in names:
        theirs = openssl("dgst", f"-{name}", "-sign", "private", *options, "message", cwd=tmp_path)
        assert [public.is_valid(MESSAGE, theirs, hash=other, **padding) for other in names] == [other == name for other in names]
        if name != "sha1":
            (tmp_path / "signature").write_bytes(signed(name))
            check = ["dgst", f"-{name}", "-verify", "public", *options, "-signature", "signature", "message"]
            assert b"OK" in openssl(*check, cwd=tmp_path)


@pytest.mark.parametrize("method", ["binary-ternary", "binary", "jump", "divstep"])
@pytest.mark.parametrize("bits", [5, 64, 256, 521, 1024])
def test_inversion_in_residue_numbers(method, bits):
    p = odd(bits)
    while p % 3 == 0:
        p = odd(bits)
    for x in (1, 2, p - 1, -1, p + 2, below(p) + 1):
        try:
            expected = pow(x, -1, p)
        except ValueError:
            with pytest.raises(ZeroDivisionError):
                rns.invert(x, p, method=method)
        else:
            assert rns.invert(x, p, method=method) == expected
            assert rns.invert(x, p, method=method, width=33) == expected


def test_residue_numbers_refuse():
    for arguments, keywords in [
        ((1, 8), {}), ((1, 9), {}), ((1, 1), {}), ((1, -7), {}), ((1, 101), {"method": "magic"}), ((1, 101), {"width": 7}),
        ((1, 101), {"width": 0}), ((1, 101), {"width": 65}), ((1, 2**400 + 1), {"channels": 2}), ((1, 101), {"channels": 0}),
        ((1, 101), {"channels": 10**9}), ((1, 2**20_000 + 1), {}),
    ]:
        with pytest.raises(ValueError):
            rns.invert(*arguments, **keywords)
    with pytest.raises(ZeroDivisionError):
        rns.invert(0, 101)
    with pytest.raises(TypeError):
        rns.invert(1.0, 101)


def test_salts_of_any_length_verify_unless_one_is_asked_for(tmp_path):
    (tmp_path / "private").write_bytes(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"))
    key = rsa.PrivateKey.from_pem((tmp_path / "private").read_bytes())
    public = key.public_key()
    (tmp_path / "public").write_text(public.to_pem())
    (tmp_path / "message").write_bytes(MESSAGE)
    for salt, length in (("max", 94), ("digest", 32), ("0", 0), ("7", 7)):
        options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", f"rsa_pss_saltlen:{salt}"]
        theirs = openssl("dgst", "-sha256", "-sign", "private", *options, "message", cwd=tmp_path)
        assert public.is_valid(MESSAGE, theirs) and public.is_valid(MESSAGE, theirs, salt_bytes=length)
        assert not public.is_valid(MESSAGE, theirs, salt_bytes=length + 1)
        (tmp_path / "ours").write_bytes(key.sign_batch([MESSAGE], salt_bytes=length)[0])
        check = ["dgst", "-sha256", "-verify", "public", *options[:-1], f"rsa_pss_saltlen:{length}", "-signature", "ours", "message"]
        assert b"OK" in openssl(*check, cwd=tmp_path)
    with pytest.raises(ValueError, match="needs 129 bytes; this key has 128"):
        key.sign(MESSAGE, salt_bytes=95)
    for wrong in ({"padding": "pkcs1", "salt_bytes": 20}, {"salt_bytes": -1}, {"salt_bytes": 10**30}):
        with pytest.raises(ValueError, match="salt_bytes"):
            key.sign(MESSAGE, **wrong)


def test_messages_are_bytes_and_hashes_have_names_in_any_case():
    key = dsa.PrivateKey.generate(moduli.group("dsa-1024-160"))
    signer, public = dsa.Signer(key, hash="SHA384"), key.public_key()
    assert public.is_valid(MESSAGE, signer.sign(MESSAGE), hash="Sha384")
    np = pytest.importorskip("numpy")
    hidden = np.ma.masked_array(np.frombuffer(MESSAGE, "uint8"), mask=[True] + [False] * (len(MESSAGE) - 1))
    for call, match in [
        (lambda: public.verify("text", b""), "message must be bytes, not str"),
        (lambda: public.verify(b"text", ""), "signature must be bytes, not str"),
        (lambda: signer.sign([1, 2]), "message must be bytes, not list"),
        (lambda: signer.sign_batch([MESSAGE, 5]), "message 1 must be bytes, not int"),
        (lambda: signer.sign(hidden), "message is a masked array"),
        (lambda: pickle.dumps(signer), "make one of the key"),
    ]:
        with pytest.raises(TypeError, match=match):
            call()
    assert public.is_valid(MESSAGE, signer.sign(hidden.data), hash="sha384")

    class Masked(bytearray):
        mask = "of another kind"

    assert public.is_valid(MESSAGE, signer.sign(Masked(MESSAGE)), hash="sha384")


def test_validate_finds_a_composite_p():
    group = moduli.group("dsa-1024-160")
    dsa.PrivateKey.generate(group).public_key().validate()
    # g has order q modulo p, and is 1 modulo the other factor.
    factor = next(f for f in range(2 * group.q + 1, 1 << 200, 2 * group.q))
    p = group.p * factor
    g = 1 + factor * ((group.g - 1) * pow(factor, -1, group.p) % group.p)
    public = dsa.PublicKey.from_pem(dsa_pem(p, group.q, g, pow(g, 5, p)))
    with pytest.raises(ValueError, match="p is not prime"):
        public.validate()


def dsa_pem(p, q, g, y):
    """A SubjectPublicKeyInfo in PEM, by OpenSSL's encoder of DER."""
    text = f"""asn1=SEQUENCE:spki
[spki]
algorithm=SEQUENCE:algorithm
key=BITWRAP,INTEGER:{y:#x}
[algorithm]
name=OID:1.2.840.10040.4.1
parameters=SEQUENCE:parameters
[parameters]
p=INTEGER:{p:#x}
q=INTEGER:{q:#x}
g=INTEGER:{g:#x}
"""
    der = openssl("asn1parse", "-genconf", "/dev/stdin", "-noout", "-out", "/dev/stdout", input=text.encode())
    return "-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(der).decode() + "\n-----END PUBLIC KEY-----\n"
