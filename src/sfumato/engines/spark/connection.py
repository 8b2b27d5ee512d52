"""Where Spark is: a running session, this machine, a cluster, or a Spark Connect server."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import socket
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sfumato.documents.private_folder import make_private_folder
from sfumato.engines.spark.dialect import SETTINGS
from sfumato.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

CONNECT_PORT = 15002
MASTER_PORT = 7077
_SECONDS_TO_ANSWER = 5.0
_TIMES_TO_RETRY = 5

_started: dict[str, SparkSession] = {}


def session_at(*, master: str | None, remote: str | None) -> SparkSession:
    """Return a session of a master or of a Spark Connect server; it is started once."""
    place = remote or master or "local[*]"
    known = _started.get(place)
    if known is not None and not is_stopped(known):
        return known
    _check_installed()
    session = _remote_session(place) if remote else _classic_session(place)
    if not _started:
        atexit.register(_stop_all)
    _started[place] = session
    return session


def is_stopped(session: SparkSession) -> bool:
    """Say whether a session was stopped."""
    if is_remote(session):
        return bool(session.is_stopped)  # type: ignore[attr-defined]
    context = session.sparkContext
    return context._jsc is None or bool(context._jsc.sc().isStopped())


def is_remote(session: SparkSession) -> bool:
    """Say whether a session is one of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


@contextmanager
def settled(session: SparkSession) -> Iterator[None]:
    """Give a session the settings that our SQL relies on; afterwards it has its own again."""
    earlier = {key: session.conf.get(key, None) for key in SETTINGS}
    changed = [key for key, value in SETTINGS.items() if earlier[key] != value]
    try:
        for key in changed:
            session.conf.set(key, SETTINGS[key])
        yield
    finally:
        # A session that died has no settings to restore.
        with suppress(Exception):
            for key in changed:
                value = earlier[key]
                if value is None:
                    session.conf.unset(key)
                else:
                    session.conf.set(key, value)


@contextmanager
def quiet() -> Iterator[None]:
    """Silence PySpark's advice about other packages, and its log, which quotes values."""
    log = logging.getLogger("SQLQueryContextLogger")
    earlier, log.disabled = log.disabled, True
    try:
        with warnings.catch_warnings():
            for kind in (FutureWarning, DeprecationWarning, ResourceWarning, UserWarning):
                warnings.simplefilter("ignore", kind)
            yield
    finally:
        log.disabled = earlier


def _check_installed() -> None:
    try:
        import pyarrow  # noqa: F401
        import pyspark.sql  # noqa: F401
    except ImportError as error:
        raise SettingsError(
            f"Spark needs the package {error.name}, which is not installed",
            code="missing-package",
            remedy="install the extra: pip install 'sfumato[spark]'",
        ) from None


def _remote_session(remote: str) -> SparkSession:
    address = urlsplit(remote)
    _must_answer(
        remote,
        [(address.hostname or "", address.port or CONNECT_PORT)],
        advice="start it (start-connect-server.sh), or mend the address: sc://host:15002",
    )
    from pyspark.errors import PySparkException
    from pyspark.sql.connect.client.retries import DefaultPolicy
    from pyspark.sql.connect.session import SparkSession as RemoteSession

    try:
        # Not the builder of pyspark.sql: it refuses where a session with Java is running as well.
        session = RemoteSession.builder.remote(remote).create()
        # Some twenty seconds, where Spark would wait ten minutes for a server that is gone.
        session.client.set_retry_policies([DefaultPolicy(max_retries=_TIMES_TO_RETRY)])
        session.version  # noqa: B018 (the first question that the server must answer)
    except (PySparkException, OSError) as error:
        raise SourceError(
            f"{remote} answers, but not as a Spark Connect server should ({type(error).__name__})",
            code="not-a-server",
            key="remote",
            found=repr(remote),
            remedy="see whether it runs the same version of Spark",
        ) from None
    return session  # type: ignore[return-value]


def _classic_session(master: str) -> SparkSession:
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        raise SettingsError(
            f"Spark at {master!r} needs Java 17 or later on this machine, and there is none",
            code="no-java",
            key="master",
            found=repr(master),
            remedy='install it, or use a Spark Connect server: remote = "sc://host:15002"',
        )
    if master.startswith("spark://"):
        hosts = [urlsplit(f"//{each}") for each in master.removeprefix("spark://").split(",")]
        _must_answer(
            master,
            [(host.hostname or "", host.port or MASTER_PORT) for host in hosts],
            advice="start the cluster, or mend the address: spark://host:7077",
        )
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None and not is_stopped(running):
        if running.sparkContext.master == master:
            return running
        raise SettingsError(
            f"a Spark session of {running.sparkContext.master!r} is running in this process, and a "
            "process can have only one",
            code="other-session",
            key="master",
            found=repr(master),
            remedy=f"pass it on as SparkEngine(session=…), or stop it to use {master!r}",
        )
    builder = SparkSession.builder.master(master).appName("sfumato")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    # Spark writes rows that memory cannot hold, and the tables that we send it, into files that
    # everybody may read; so the folder that they are in is one that nobody else can open.
    folder = make_private_folder(_local_folder())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "local").mkdir()
    if master.startswith("local"):
        builder = builder.config("spark.local.dir", str(folder / "local"))
        builder = builder.config("spark.ui.enabled", "false")
        # Spark would make a folder for tables in the working folder, whether there are any or not.
        builder = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        builder = builder.config("spark.sql.shuffle.partitions", str(4 * (os.cpu_count() or 1)))
    try:
        with _environment("SPARK_LOCAL_DIRS", str(folder / "local")):
            session = builder.getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        raise SourceError(
            f"Spark cannot be started at {master!r} ({type(error).__name__})",
            code="not-started",
            key="master",
            found=repr(master),
            remedy="what it wrote to the terminal says why; it needs Java 17 or later",
        ) from None
    # Its messages quote values of the data; what the user needs is in our errors.
    session.sparkContext.setLogLevel("OFF")
    return session


def _local_folder() -> Path | None:
    """Return where Spark is told to keep temporary files, None for the place of all programs."""
    named = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0].strip()
    return Path(named) if named and Path(named).is_dir() else None


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """Set a variable for the processes that are started inside."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _must_answer(place: str, hosts: list[tuple[str, int]], *, advice: str) -> None:
    """Refuse an address where nobody answers: Spark itself would try for minutes."""
    reasons = []
    for host, port in hosts:
        try:
            with socket.create_connection((host, port), timeout=_SECONDS_TO_ANSWER):
                return
        except OSError as error:
            reasons.append(f"{host}:{port}: {error.strerror or error}")
    raise SourceError(
        f"{place} cannot be reached ({'; '.join(reasons)})",
        code="unreachable",
        file=place,
        remedy=advice,
    )


def _stop_all() -> None:
    for session in _started.values():
        with suppress(Exception), quiet():
            if not is_stopped(session):
                session.stop()
