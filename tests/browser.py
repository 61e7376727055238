"""A real browser, driven by the WebDriver protocol: Debian's package `chromium-driver` has all that it needs."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE

DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
)


class Browser:
    """One window of the browser."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}/session"
        options = {"binary": CHROMIUM, "args": OPTIONS}
        browser = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        session = self._ask("", {"capabilities": {"alwaysMatch": browser}})
        self._address += f"/{session['sessionId']}"

    def open(self, page: Path, width: int, height: int, scheme: str) -> None:
        """Show a page as a screen of such a size does, with the scheme ``light`` or ``dark``."""
        self.resize(width, height, scheme)
        self.go(page.as_uri())

    def go(self, address: str) -> None:
        """Load an address. The driver itself returns now and then while the page is still being read."""
        self._ask("/url", {"url": address})
        end = time.monotonic() + PATIENCE
        while self.run("return document.readyState") != "complete":
            assert time.monotonic() < end, f"{address} was not loaded within {PATIENCE} s"
            time.sleep(0.02)

    def resize(self, width: int, height: int, scheme: str) -> None:
        """Show the same page as another screen does."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self._command("Emulation.setDeviceMetricsOverride", screen)
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self._command("Emulation.setEmulatedMedia", {"features": media})

    def run(self, script: str) -> Any:
        """Run a function's body in the page, and give what it returns."""
        return self._ask("/execute/sync", {"script": script, "args": []})

    def press(self, key: str) -> None:
        """Press a key, and let it go."""
        for kind in ("rawKeyDown", "char", "keyUp"):
            code = {"key": key, "code": key, "windowsVirtualKeyCode": 13, "text": "\r" if kind == "char" else ""}
            self._command("Input.dispatchKeyEvent", {"type": kind, **code})

    def log(self) -> list[str]:
        """Give the errors and warnings of the page since the last time."""
        return [entry["message"] for entry in self._ask("/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Give the addresses that the browser asked for since the last time."""
        messages = [json.loads(entry["message"])["message"] for entry in self._ask("/se/log", {"type": "performance"})]
        sent = [each["params"] for each in messages if each["method"] == "Network.requestWillBeSent"]
        return [each["request"]["url"] for each in sent]

    def picture(self, target: Path) -> None:
        """Write a picture of the whole page."""
        taken = self._command("Page.captureScreenshot", {"captureBeyondViewport": True})
        target.write_bytes(base64.b64decode(taken["data"]))

    def close(self) -> None:
        request = urllib.request.Request(self._address, method="DELETE")
        urllib.request.urlopen(request, timeout=PATIENCE).close()

    def _command(self, name: str, parameters: dict[str, Any]) -> Any:
        return self._ask("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def _ask(self, path: str, data: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            self._address + path, json.dumps(data).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {json.load(error)['value']['message']}") from None


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser, and end it."""
    assert DRIVER
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home}
        with subprocess.Popen(
            [DRIVER, "--port=0"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            try:
                assert process.stdout
                port = (
                    next(line for line in process.stdout if "successfully on port" in line)
                    .rstrip(".\n")
                    .rsplit(" ", 1)[1]
                )
                window = Browser(int(port))
                try:
                    yield window
                finally:
                    window.close()
            finally:
                process.terminate()
