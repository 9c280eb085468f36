"""Shares Live Photos between two network namespaces. Scripts/trial share describes it."""

import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from chromium import Chromium

HOSTS = {"sender": "10.77.0.1", "phone": "10.77.0.2"}
NEIGHBOUR = "10.77.0.3"
AGENTS = {
    "iphone": ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148", 390, 844),
    "ipad": ("Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148", 820, 1180),
    "android": ("Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36", 412, 915),
    "mac": ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15", 1280, 800),
    "linux": ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", 1280, 800),
}
MEMORY_LIMIT = 64 << 20


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


@contextlib.contextmanager
def namespaces():
    """Two hosts that are connected by a cable. The phone has a second address, which is another client."""
    prefix = f"lp{os.getpid() % 10_000}"
    names = {host: f"{prefix}-{host}" for host in HOSTS}
    try:
        for host, name in names.items():
            run("ip", "netns", "add", name)
            run("ip", "-n", name, "link", "set", "lo", "up")
        run("ip", "link", "add", f"{prefix}a", "netns", names["sender"], "type", "veth", "peer", "name", f"{prefix}b", "netns",
            names["phone"])
        for host, device in (("sender", f"{prefix}a"), ("phone", f"{prefix}b")):
            run("ip", "-n", names[host], "address", "add", f"{HOSTS[host]}/24", "dev", device)
            run("ip", "-n", names[host], "link", "set", device, "up")
        run("ip", "-n", names["phone"], "address", "add", f"{NEIGHBOUR}/24", "dev", f"{prefix}b")
        yield {host: ["ip", "netns", "exec", name] for host, name in names.items()}
    finally:
        for name in names.values():
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


class Share:
    def __init__(self, program, *arguments, within=(), temporary=None):
        self.temporary = temporary or tempfile.mkdtemp()
        self.began = time.monotonic()
        self.process = subprocess.Popen([*within, program, "share", "--json", *map(str, arguments)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": self.temporary})

    def wait_for_address(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"share: {self.process.stderr.read()}")
        self.seconds_to_address = time.monotonic() - self.began
        self.address = json.loads(line)["address"]
        parts = urllib.parse.urlsplit(self.address)
        self.host, self.port, self.token = parts.hostname, parts.port, parts.path.strip("/")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self

    @property
    def server(self):
        """The process id of livephoto-server."""
        return int(run("pgrep", "--newest", "--parent", self.process.pid, "livephoto-serve").split()[0])

    def memory(self):
        """The memory that is not that of files, now and at most, in bytes."""
        status = pathlib.Path(f"/proc/{self.server}/status").read_text()
        values = dict(line.split(":", 1) for line in status.splitlines())
        return int(values["RssAnon"].split()[0]) << 10, int(values["VmHWM"].split()[0]) << 10

    def end(self):
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(10)
        seconds = time.monotonic() - began
        left = os.listdir(self.temporary)
        shutil.rmtree(self.temporary)
        return seconds, left


def make_pairs(program, folder, count=3):
    clip = folder / "clip.mp4"
    run("ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=3", "-f", "lavfi",
        "-i", "sine=duration=3", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", clip)
    for number in range(count):
        run(program, "convert", clip, "--output", folder / "pairs", "--name", f"IMG_{number}", "--still", f"{number * .4 + 1}",
            "--quiet", *(["--preset", "modern"] if number == 1 else []))
    return folder / "pairs"


def check_hosts(program, folder, hosts, screens):
    """The phone gets page, archive and ranges by curl, and the page in Chromium."""
    share = Share(program, folder / "pairs", "--keep", within=hosts["sender"]).wait_for_address()
    assert share.host == HOSTS["sender"], share.address
    get = [*hosts["phone"], "curl", "--silent", "--show-error", "--fail"]
    archive, part = folder / "all.pvt.zip", folder / "part"
    run(*get, "--output", archive, share.address + "all.pvt.zip")
    run(program, "extract", archive, "--output", folder / "extracted")
    run(program, "verify", folder / "extracted")
    run(*get, "--range", "5000-9999", "--output", part, share.address + "all.pvt.zip")
    assert part.read_bytes() == archive.read_bytes()[5000:10000]
    page = run(*get, "--location", "--cookie-jar", folder / "jar", share.address)
    assert "<live-photo" in page
    browser = folder / "chromium-of-phone"
    browser.write_text(f"#!/bin/sh\nexec {' '.join(hosts['phone'])} chromium \"$@\"\n")
    browser.chmod(0o755)
    with Chromium(str(browser)) as chromium:
        for name, (agent, width, height) in AGENTS.items():
            page = chromium.open(share.address, width=width, height=height, touch=width < 1000, user_agent=agent,
                                 dark=name in ("android", "linux"))
            page.wait("document.querySelector('live-photo').shadowRoot.getElementById('photo').naturalWidth > 0")
            assert page.run("document.querySelector('live-photo').play()"), name
            page.wait("document.querySelector('live-photo').currentTime > 0.1")
            page.run("document.querySelector('live-photo').stop()")
            assert page.problems() == [], (name, page.problems())
            if screens:
                time.sleep(1)
                page.screenshot(os.path.join(screens, f"share-{name}.png"))
            page.close()
    seconds, left = share.end()
    assert seconds < 1 and not left, (seconds, left)
    print(f"hosts: the other host got page, archive and ranges, also in Chromium as {', '.join(AGENTS)}", flush=True)


def connect(share, source):
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.bind((source, 0))
    connection.settimeout(5)
    connection.connect((share.host, share.port))
    if not share.address.startswith("https"):
        return connection
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(connection)


def served(share, source, seconds=5):
    """How long another client waits for its answer."""
    began = time.monotonic()
    run("curl", "--insecure", "--silent", "--show-error", "--fail", "--max-time", seconds, "--interface", source, share.address + "latest.json")
    return time.monotonic() - began


def abuse(program, folder):
    """Runs in the namespace of the phone: what greedy clients can do. Prints what it saw."""
    share = Share.__new__(Share)
    share.address, server = sys.argv[3], int(sys.argv[4])
    parts = urllib.parse.urlsplit(share.address)
    share.host, share.port, share.token = parts.hostname, parts.port, parts.path.strip("/")
    phone, neighbour = HOSTS["phone"], NEIGHBOUR
    request = f"GET /{share.token}/all.pvt.zip HTTP/1.1\r\nHost: {share.host}:{share.port}\r\n".encode()

    def memory():
        status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{server}/status").read_text().splitlines())
        return int(status["VmHWM"].split()[0]) << 10

    def held():
        """Connections that the server still has."""
        lines = [line.split() for line in pathlib.Path(f"/proc/{server}/net/tcp").read_text().splitlines()[1:]]
        return sum(line[1].endswith(f":{share.port:04X}") and line[3] == "01" for line in lines)

    def attempt(name, data, *, count=300, trickle=None, reads=None, limit=45):
        """Opens connections that send `data`, then a byte of `trickle` each second, and read `reads` bytes each second."""
        connections, refused = [], 0
        for _ in range(count):
            try:
                connection = connect(share, phone)
                connection.sendall(data)
                connections.append(connection)
            except OSError:
                refused += 1
        wait = served(share, neighbour)
        began, ended = time.monotonic(), 0
        while held() > 0 and time.monotonic() - began < limit:
            for connection in list(connections):
                with contextlib.suppress(socket.timeout, BlockingIOError):
                    connection.setblocking(False)
                    try:
                        if trickle:
                            connection.send(trickle)
                        if connection.recv(reads or 65536) == b"":
                            raise ConnectionResetError
                    except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                        continue
                    except OSError:
                        connection.close()
                        connections.remove(connection)
                        ended += 1
            time.sleep(1)
        last = time.monotonic() - began
        left = held()
        again = served(share, neighbour)
        for connection in connections:
            connection.close()
        print(f"{urllib.parse.urlsplit(share.address).scheme}, {name}: {count} connections, {refused + ended} refused or ended for the client, {left} held by the server after "
              f"{last:.0f} s; another client waited {wait:.2f} and {again:.2f} s; memory {memory() >> 20} MB", flush=True)
        assert memory() <= MEMORY_LIMIT, memory()
        assert left == 0, left

    attempt("silent", b"")
    attempt("slow headers", request, trickle=b"X")
    attempt("large headers", request + b"X: " + b"a" * 100_000)
    attempt("many requests", request.replace(b"all.pvt.zip", b"latest.json") + b"\r\n")
    attempt("one byte a second", request + b"\r\n", reads=1, limit=75)


def check_abuse(program, folder, hosts):
    for options in (["--tls"], []):
        share = Share(program, folder / "large", "--keep", *options, within=hosts["sender"]).wait_for_address()
        command = [*hosts["phone"], sys.executable, __file__, program, "--abuse", share.address, str(share.server)]
        subprocess.run(command, check=True, env={**os.environ})
        if options:
            share.end()
    # A client that vanishes without a word.
    vanished = subprocess.Popen([*hosts["phone"], sys.executable, "-c", f"""
import socket, time
for _ in range(20):
    s = socket.create_connection(({share.host!r}, {share.port}))
    s.sendall(b"GET /{share.token}/all.zip HTTP/1.1\\r\\nHost: {share.host}:{share.port}\\r\\n\\r\\n")
    globals().setdefault("kept", []).append(s)
print("ready", flush=True)
time.sleep(100)
"""], stdout=subprocess.PIPE, text=True)
    vanished.stdout.readline()
    name = hosts["phone"][-1]
    device = run("ip", "-n", name, "-brief", "link", "show", "type", "veth").split("@")[0]
    run("ip", "-n", name, "link", "set", device, "down")
    deadline = time.monotonic() + 60
    def count():
        return len(run(*hosts["sender"], "ss", "-Htn", "exclude", "listening").splitlines())
    while time.monotonic() < deadline and count() > 0:
        time.sleep(1)
    left = count()
    vanished.kill()
    vanished.wait()
    run("ip", "-n", name, "link", "set", device, "up")
    assert left == 0, left
    print(f"vanished: connections of a client that is gone end within {60 - (deadline - time.monotonic()):.0f} s", flush=True)
    seconds, files = share.end()
    assert seconds < 1 and not files, (seconds, files)


def make_large(folder, gigabytes):
    """Pairs whose movies end with a large box that players skip."""
    large = folder / "large"
    large.mkdir()
    count = 5
    size = gigabytes * 1_000_000_000 // count
    block = os.urandom(1 << 22)
    for number in range(count):
        name = f"IMG_{number % 3}"
        photo = next((folder / "pairs").glob(f"{name}.[JH]*"))
        shutil.copy(photo, large / f"P{number}{photo.suffix}")
        movie = large / f"P{number}.MOV"
        shutil.copy(folder / "pairs" / f"{name}.MOV", movie)
        with open(movie, "ab") as file:
            file.write(size.to_bytes(4, "big") + b"free")
            left = size - 8
            while left > 0:
                file.write(block[:left])
                left -= len(block)
    return large


def transfer(*urls):
    """Bytes per second."""
    began = time.monotonic()
    size = 0
    for url in urls:
        size += int(run("curl", "--silent", "--show-error", "--fail", "--output", "/dev/null", "--write-out", "%{size_download}",
                        url))
    return size / (time.monotonic() - began)


def check_speed(program, folder):
    large = folder / "large"
    total = sum(file.stat().st_size for file in large.iterdir())
    configuration = folder / "nginx.conf"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    configuration.write_text(f"""
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log; user root;
events {{ worker_connections 64; }}
http {{ sendfile on; tcp_nopush on; access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
  fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{ listen 127.0.0.1:{port}; root {large}; }} }}
""")
    nginx = subprocess.Popen(["nginx", "-c", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    share = Share(program, large, "--keep", "--address", "127.0.0.1").wait_for_address()
    peer = [f"http://127.0.0.1:{port}/{urllib.parse.quote(file.name)}" for file in sorted(large.iterdir())]
    try:
        transfer(*peer)  # The files are in memory from now on.
        start = share.memory()[0]
        first = transfer(share.address + "all.zip")
        ratios, own = [], []
        for _ in range(3):
            speed = transfer(share.address + "all.zip")
            beside = transfer(*peer)
            own.append(speed)
            ratios.append(speed / beside)
        now, most = share.memory()
        print(f"speed: {total / 1e9:.1f} GB in one archive at {statistics.median(own) / 1e9:.2f} GB/s, "
              f"{statistics.median(ratios):.2f} of nginx ({', '.join(f'{ratio:.2f}' for ratio in ratios)}); the first time, with "
              f"checksums, {first / 1e9:.2f} GB/s; memory {start >> 20} MB before, {now >> 20} MB after, at most {most >> 20} MB",
              flush=True)
        assert statistics.median(ratios) >= 0.8, ratios
        assert most <= MEMORY_LIMIT, most
    finally:
        nginx.terminate()
        nginx.wait()
        share.end()


def check_start(program, folder, count):
    many = folder / "many"
    many.mkdir()
    for number in range(count):
        for file in (folder / "pairs").glob("IMG_0.*"):
            shutil.copy(file, many / f"IMG_{number:04}{file.suffix}")
    times = []
    for _ in range(7):
        share = Share(program, many, "--address", "127.0.0.1").wait_for_address()
        times.append(share.seconds_to_address)
        share.end()
    print(f"start: the address of {count} pairs after {statistics.median(times):.3f} s ({min(times):.3f} to {max(times):.3f})",
          flush=True)
    assert statistics.median(times) < 0.3, times


def check_signals(program, folder, count):
    generator = random.Random(45)
    slowest = 0
    for number in range(count):
        source = folder / "clip.mp4" if number % 2 else folder / "pairs"
        share = Share(program, source, "--address", "127.0.0.1")
        time.sleep(generator.uniform(0, 1.6))
        seconds, left = share.end()
        slowest = max(slowest, seconds)
        assert seconds < 1 and not left, (number, seconds, left)
    print(f"signals: {count} at random times, each ended it within {slowest:.2f} s, and nothing was left", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--signals", type=int, default=30)
    parser.add_argument("--screens")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        make_pairs(options.program, folder)
        check_start(options.program, folder, options.pairs)
        check_signals(options.program, folder, options.signals)
        make_large(folder, options.size)
        check_speed(options.program, folder)
        with namespaces() as hosts:
            check_hosts(options.program, folder, hosts, options.screens)
            check_abuse(options.program, folder, hosts)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if "--abuse" in sys.argv:
        abuse(sys.argv[1], None)
    else:
        main()
