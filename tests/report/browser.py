"""A real browser without a window, driven over the WebDriver protocol."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
DRIVER = shutil.which("chromedriver")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,1000",
)
# A proxy of the environment has no part in talking to this machine.
DIRECTLY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def lacking() -> str:
    """Return what is not installed, nothing if a browser can run."""
    found = {"chromium": CHROMIUM, "chromedriver": DRIVER}
    return " and ".join(name for name, path in found.items() if path is None)


@dataclass(frozen=True, kw_only=True)
class Browser:
    """A session of a browser."""

    address: str

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        text = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(f"{self.address}{path}", data=text, method=method)
        request.add_header("Content-Type", "application/json")
        with DIRECTLY.open(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, page: Path) -> None:
        self.ask("POST", "/url", {"url": page.resolve().as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def develop(self, command: str, **parameters: Any) -> Any:
        """Send a command of the developer tools' protocol."""
        body = {"cmd": command, "params": parameters}
        return self.ask("POST", "/goog/cdp/execute", body)

    def resize(self, width: int, height: int, *, scheme: str = "light") -> None:
        self.develop(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme_of_page = [{"name": "prefers-color-scheme", "value": scheme}]
        self.develop("Emulation.setEmulatedMedia", features=scheme_of_page)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def click(self, selector: str) -> None:
        found = self.ask("POST", "/element", {"using": "css selector", "value": selector})
        self.ask("POST", f"/element/{found[ELEMENT]}/click")

    def point(self, *actions: dict[str, Any], kind: str = "mouse") -> None:
        """Do a sequence of actions with a pointer."""
        self.ask(
            "POST",
            "/actions",
            {
                "actions": [
                    {
                        "type": "pointer",
                        "id": kind,
                        "parameters": {"pointerType": kind},
                        "actions": list(actions),
                    }
                ]
            },
        )
        self.ask("DELETE", "/actions")

    def wheel(self, x: int, y: int, amount: int) -> None:
        scroll = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": amount, "duration": 0}
        body = {"actions": [{"type": "wheel", "id": "wheel", "actions": [scroll]}]}
        self.ask("POST", "/actions", body)

    def press(self, key: str) -> None:
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        body = {"actions": [{"type": "key", "id": "keyboard", "actions": keys}]}
        self.ask("POST", "/actions", body)

    def log(self, kind: str) -> list[Any]:
        return list(self.ask("POST", "/se/log", {"type": kind}))

    def screenshot(self, path: Path) -> None:
        """Take a picture of the whole page."""
        size = self.develop("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        taken = self.develop("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(taken["data"]))


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Start a driver and a browser, and end both."""
    assert CHROMIUM is not None
    assert DRIVER is not None
    driver = subprocess.Popen(
        [DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert driver.stdout is not None
    try:
        with driver.stdout, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            lines = (re.search(r"successfully on port (\d+)", line) for line in driver.stdout)
            port = next(found[1] for found in lines if found)
            service = Browser(address=f"http://127.0.0.1:{port}")
            options = {"binary": CHROMIUM, "args": [*ARGUMENTS, f"--user-data-dir={profile}"]}
            wanted = {
                "browserName": "chrome",
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }
            made = service.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            session = Browser(address=f"{service.address}/session/{made['sessionId']}")
            try:
                yield session
            finally:
                session.ask("DELETE", "")
    finally:
        driver.terminate()
        driver.wait()
