"""moduli.distributed. How tables get to workers, and what must stay secret."""

import hashlib
import os
import types

import moduli
import pytest
from moduli.distributed import JobError, job, pow_batch, source, table
from jobs_of_tests import G, P, leftovers, parts


def test_tables_travel_to_workers_that_cannot_read_the_file(client, fixed, tmp_path, monkeypatch):
    # As on another machine, the path of the table has something else.
    honest = table.TablePlugin._map
    elsewhere = str(tmp_path / "elsewhere")
    monkeypatch.setattr(table.TablePlugin, "_map", lambda self, path: honest(self, elsewhere if path == fixed.path else path))
    seen = []
    ended = table.TablePlugin.teardown

    def teardown(self, worker):
        if self.opened:
            seen.append((self.opened.is_mapped, str(self.sent)))
        ended(self, worker)

    monkeypatch.setattr(table.TablePlugin, "teardown", teardown)
    values = list(range(2, 40))
    # This holds even if the user's umask lets everybody write: a file that others can write to is not mapped
    # for secret exponents.
    mask = os.umask(0)
    try:
        assert pow_batch(values, fixed.path, client=client, rows_per_piece=2) == [pow(G, k, P) for k in values]
    finally:
        os.umask(mask)
    local = {each for each in seen if each[1] != "None"}
    # Both workers map one file, whose name has the digest.
    assert all(mapped for mapped, _ in seen) and len(local) == 1
    [(_, sent)] = local
    # The file is removed with the job.
    assert table.file_digest(fixed.path) in sent and not os.path.exists(sent)


@pytest.mark.parametrize("secret", [True, False])
def test_workers_compute_in_constant_time_if_exponents_are_secret(client, fixed, monkeypatch, secret):
    honest, seen = table.powers_of, set()
    monkeypatch.setattr(table, "powers_of", lambda table, *rest: (seen.add(table.secret), honest(table, *rest))[1])
    assert pow_batch([2, 3], fixed.path, client=client, secret=secret) == [G**2, G**3]
    assert seen == {secret}


def test_a_table_that_was_tampered_with_on_its_way_is_refused(client, fixed, tmp_path, monkeypatch):
    honest = table.TablePlugin.__init__

    def tamper(self, digest, secret, path, contents=None):
        if contents:
            forged = contents[:-5000] + bytes([contents[-5000] ^ 1]) + contents[-4999:-32]
            contents = forged + hashlib.sha256(forged).digest()
        honest(self, digest, secret, path, contents)

    mapped = table.TablePlugin._map
    monkeypatch.setattr(table.TablePlugin, "_map", lambda self, path: mapped(self, path if path != fixed.path else str(tmp_path / "elsewhere")))
    monkeypatch.setattr(table.TablePlugin, "__init__", tamper)
    with pytest.raises(JobError, match="is not the one that was verified"):
        pow_batch([1, 2], fixed.path, client=client, output=tmp_path / "out")
    assert not parts(tmp_path / "out") and not leftovers(tmp_path / "out")
    # A table that does not stay with the workers ends the job.
    monkeypatch.setattr(table.TablePlugin, "table", lambda self: (_ for _ in ()).throw(table.Missing("gone")))
    monkeypatch.setattr(job, "SENDS", 1)
    with pytest.raises(JobError, match="does not stay with the workers: gone"):
        pow_batch([1, 2], fixed.path, client=client)
    monkeypatch.undo()
    # A file of the right name that someone else put there is not used either.
    plugin = table.TablePlugin(table.file_digest(fixed.path), True, "")
    plugin.setup(types.SimpleNamespace(local_directory=str(tmp_path / "worker")))
    with pytest.raises(table.Missing):
        plugin.table()


def test_the_client_verifies_the_table(client, fixed, tmp_path):
    forged = bytearray(open(fixed.path, "rb").read()[:-32])
    # Change the third byte of a word, which makes another digit that is valid for every kernel.
    forged[-4998] ^= 1
    path = tmp_path / "forged.table"
    path.write_bytes(forged + hashlib.sha256(forged).digest())
    with pytest.raises(ValueError, match="entry"):
        pow_batch([1], path, client=client)
    unverified = moduli.FixedBase.open(path, G, P, secret=False, verify=False)
    with pytest.raises(ValueError, match="entry"):
        pow_batch([1], unverified, client=client)
    with pytest.raises(ValueError, match="base"):
        pow_batch([1], fixed.path, base=G + 1, modulus=P, client=client)


def test_secrets_do_not_show(fixed):
    assert "123456789" not in repr(source.Piece(0, 0, 2, values={"": [123456789, 987654321]}))
