"""A real Spark for the tests: one session with Java in this process, one server of Spark Connect.

Without PySpark or Java they are skipped, unless SFUMATO_NEEDS_SPARK is set: then they fail.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.engines.spark.connection import quiet

if TYPE_CHECKING:
    from collections.abc import Iterator


def lacking() -> str:
    """Return what is not installed, nothing if Spark can run."""
    found = {
        "PySpark (the extra 'spark')": importlib.util.find_spec("pyspark"),
        "Java 17 or later": shutil.which("java") or os.environ.get("JAVA_HOME"),
    }
    return " and ".join(name for name, place in found.items() if not place)


SETTINGS: dict[str, bool | float | int | str | None] = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    # Queries over a hundred rows are not worth being compiled.
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def pytest_runtest_setup() -> None:
    """Skip what cannot run on this machine, unless the environment says that it must."""
    if lacking() and not os.environ.get("SFUMATO_NEEDS_SPARK"):
        pytest.skip(f"{lacking()} not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def classic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sf.SparkEngine]:
    from pyspark.sql import SparkSession

    with quiet():
        builder = SparkSession.builder.master("local[2]").config(map=SETTINGS)
        folder = tmp_path_factory.mktemp("warehouse")
        session = builder.config("spark.sql.warehouse.dir", str(folder)).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
    yield sf.SparkEngine(session=session)
    with quiet():
        session.stop()


class Server:
    """A server of Spark Connect, started from the jars that PySpark brings."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        home = Path(pyspark.__file__).parent
        self.port = free_port()
        self.log = folder / "connect.log"
        settings = {"spark.connect.grpc.binding.port": str(self.port), **SETTINGS}
        options = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    str(home / "bin" / "spark-submit"),
                    "--class",
                    "org.apache.spark.sql.connect.service.SparkConnectServer",
                    "--master",
                    "local[2]",
                    *options,
                    "spark-internal",
                ],
                env={**os.environ, "SPARK_HOME": str(home)},
                stdout=log,
                stderr=log,
                cwd=folder,
                start_new_session=True,
            )
        self._wait()

    @property
    def address(self) -> str:
        return f"sc://127.0.0.1:{self.port}"

    def _wait(self) -> None:
        while self.process.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    return
            except OSError:
                time.sleep(0.2)
        raise RuntimeError(f"the server did not start: {self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("connect"))
    yield started
    started.kill()


@pytest.fixture(scope="session")
def connect(request: pytest.FixtureRequest) -> Iterator[sf.SparkEngine]:
    # A server that runs already spares the start of one, where tests are run often.
    address = os.environ.get("SFUMATO_SPARK_REMOTE") or request.getfixturevalue("server").address
    engine = sf.SparkEngine(remote=address)
    yield engine
    with quiet():
        engine.connected().stop()


@pytest.fixture(params=["classic", "connect"])
def engine(request: pytest.FixtureRequest) -> sf.SparkEngine:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, sf.SparkEngine)
    return found
