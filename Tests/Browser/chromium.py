"""Drives a headless Chromium by the DevTools protocol over a pipe, with nothing but the standard library."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Chromium:
    """A browser process. Commands go to its descriptor 3, answers and events come from 4, each ended by a zero byte."""

    def __init__(self, program="chromium"):
        self.profile = tempfile.mkdtemp()
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # The shell gives both descriptors the numbers that Chromium expects.
        command = ('exec "$0" "$@" 3<&%d 4>&%d' % (to_browser, from_browser))
        options = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--hide-scrollbars",
                   "--disable-background-networking", "--disable-component-update", "--mute-audio",
                   f"--user-data-dir={self.profile}"]
        # In a container, the tests often run as root.
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self.process = subprocess.Popen(["bash", "-c", command, program, *options, "about:blank"],
                                        pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.answers, self.pages = b"", 0, {}, {}

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.output, text):]
        return self.number

    def call(self, method, session=None, **parameters):
        number = self.send(method, session, **parameters)
        deadline = time.monotonic() + 60
        while number not in self.answers:
            self.receive(deadline)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def receive(self, deadline):
        """Reads messages until something came or the time is over."""
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.input], [], [], left)[0]:
            raise TimeoutError("Chromium does not answer")
        data = os.read(self.input, 1 << 20)
        if not data:
            raise RuntimeError("Chromium has ended")
        *messages, self.buffer = (self.buffer + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            elif page := self.pages.get(message.get("sessionId")):
                page.events.append((message["method"], message["params"]))

    def open(self, url, width=1200, height=900, dark=False, reduced_motion=False, touch=False, scale=1, user_agent=None):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log", "Media"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=touch)
        page.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        page.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"}])
        if user_agent:
            page.call("Emulation.setUserAgentOverride", userAgent=user_agent)
        page.call("Page.navigate", url=url)
        page.wait("document.readyState === 'complete'")
        return page

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Page:
    """A tab."""

    def __init__(self, browser, session):
        self.browser, self.session, self.events = browser, session, []

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def run(self, script):
        """The value of an expression, or of the promise that it returns."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(f"{script}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def wait(self, script, seconds=20):
        deadline = time.monotonic() + seconds
        while True:
            try:
                if value := self.run(script):
                    return value
            except RuntimeError as error:
                # The page is being left for another one, which may be what is waited for.
                if "navigated or closed" not in str(error):
                    raise
            if time.monotonic() > deadline:
                raise TimeoutError(f"did not become true: {script}")
            time.sleep(0.02)

    def mouse(self, kind, x, y, button="left"):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1,
                  buttons=0 if kind == "mouseReleased" else 1)

    def hover(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def touch(self, kind, *points):
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def key(self, kind, key, code, text=""):
        self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, text=text,
                  windowsVirtualKeyCode={"Space": 32, "Enter": 13, "Tab": 9, "Escape": 27}[code])

    def screenshot(self, path=None, **clip):
        parameters = {"clip": {**clip, "scale": 1}} if clip else {}
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png", **parameters)["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def problems(self):
        """Errors and warnings in the console, exceptions and violated policies."""
        found = []
        for method, event in self.events:
            if method == "Runtime.exceptionThrown":
                found.append(event["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
                found.append(str(event["args"]))
            elif method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
                found.append(event["entry"]["text"])
        return found

    def requests(self):
        """The addresses that were asked for, without those of the page's own data."""
        sent = [event["request"]["url"] for method, event in self.events if method == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("data:", "blob:"))]

    def close(self):
        """Closes the tab; a second call does nothing."""
        if self.browser.pages.pop(self.session, None) is None:
            return
        self.browser.call("Target.closeTarget", targetId=self.call("Target.getTargetInfo")["targetInfo"]["targetId"])
