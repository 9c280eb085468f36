#!/usr/bin/env python3
"""Opens the pages of `livephoto preview`, `report --html` and `frames` in Chromium and uses them.

Usage: pages.py PROGRAM FOLDER

FOLDER has the pairs that Tests/Scripts/browser.sh makes.
"""

import functools
import http.server
import json
import os
import shutil
import sys
import threading
import time
import unittest

from chromium import Chromium
from players import FOLDER, LOADED, PLAYER, STATE, likeness, livephoto, preview

# The first press must show the movie within this time.
START_LIMIT = 0.3


class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Chromium()
        cls.pair = preview("pair", FOLDER / "pairs/beach.JPG")
        cls.folder = preview("folder", FOLDER / "pairs", status=1)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, url, expected=(), **options):
        page = self.browser.open(url, **options)
        # Some tests provoke an error.
        if expected is not None:
            self.addCleanup(lambda: (self.assertEqual(page.problems(), list(expected)), page.close()))
        page.wait(f"{LOADED}.some(e => e.shadowRoot.getElementById('photo').naturalWidth > 0) || "
                  "document.querySelector('img')?.naturalWidth > 0")
        page.run("window.ends = []; addEventListener('livephotoend', e => window.ends.push(e.detail.complete)); 0")
        return page

    def state(self, page, number=0):
        return page.run(f"{STATE}({PLAYER % number})")

    def middle(self, page, number=0):
        player = PLAYER % number
        page.run(f"{player}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        return page.run(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({player}.getBoundingClientRect())")

    def wait_until_shown(self, page, number=0):
        page.wait(f"(s => s.shown && s.opacity == 1 && s.time > 0)({STATE}({PLAYER % number}))")

    def wait_until_photo(self, page, number=0, complete=False):
        """Waits until the photo is back, because the movie was stopped, or came to its end."""
        page.wait(f"(s => !s.shown && !s.playing && s.opacity == 0 && s.time == 0)({STATE}({PLAYER % number}))")
        self.assertIs(page.run("window.ends.at(-1)"), complete)

    def test_a_page_loads_without_errors_and_asks_nobody_for_anything(self):
        page = self.open(self.folder)
        time.sleep(0.3)
        self.assertEqual(page.requests(), [self.folder])
        self.assertEqual(page.run("document.querySelectorAll('live-photo').length"), 3)
        badge = "e => e.shadowRoot.getElementById('badge')"
        self.assertEqual(page.run(f"[...document.querySelectorAll('live-photo')].map({badge}).map(b => b.innerText.trim())"),
                         ["LIVE"] * 3)
        self.assertGreater(page.run(f"({badge})({PLAYER % 0}).getBoundingClientRect().width"), 30)

    def test_a_broken_pair_is_a_card_with_its_reason(self):
        page = self.open(self.folder)
        self.assertIn("is not a movie that can be read", page.run("document.querySelector('.gone').innerText"))

    def test_pressing_plays_within_the_limit_and_releasing_returns_to_the_photo(self):
        for attempt in range(3):
            page = self.open(self.pair)
            x, y = self.middle(page)
            # Nothing is loaded before somebody is about to play.
            self.assertIsNone(page.run(f"{PLAYER % 0}.shadowRoot.getElementById('movie')"))
            page.run("""window.started = new Promise(resolve => {
                addEventListener('pointerdown', () => { window.pressed = performance.now(); }, true);
                addEventListener('livephotoplay', () => resolve((performance.now() - window.pressed) / 1000)); }); 0""")
            page.mouse("mousePressed", x, y)
            seconds = page.run("window.started")
            # A busy machine may miss the limit once.
            if seconds <= START_LIMIT or attempt == 2:
                break
        print(f"first press: {seconds:.3f} s", file=sys.stderr)
        self.assertLessEqual(seconds, START_LIMIT)
        self.wait_until_shown(page)
        before = self.state(page)["time"]
        page.wait(f"{PLAYER % 0}.currentTime > {before} + 0.2")
        page.mouse("mouseReleased", x, y)
        self.wait_until_photo(page)
        # And again, from the start.
        page.mouse("mousePressed", x, y)
        self.wait_until_shown(page)
        self.assertLess(self.state(page)["time"], 1.5)
        page.mouse("mouseReleased", x, y)
        self.wait_until_photo(page)

    def test_a_movie_that_ends_returns_to_the_photo(self):
        page = self.open(self.pair)
        page.mouse("mousePressed", *self.middle(page))
        self.wait_until_shown(page)
        self.wait_until_photo(page, complete=True)

    def test_at_the_still_time_the_frame_looks_like_the_photo(self):
        page = self.open(self.pair)
        box = page.run(f"(r => ({{x: r.x, y: r.y, width: r.width, height: r.height}}))({PLAYER % 0}.getBoundingClientRect())")
        page.run(f"{PLAYER % 0}.shadowRoot.getElementById('badge').style.display = 'none'")
        photo = page.screenshot(**box)
        pictures = []
        # The still, and the frame before it.
        for arguments in ("", "1.4"):
            self.assertTrue(page.run(f"{PLAYER % 0}.showFrame({arguments})"))
            page.wait(f"{STATE}({PLAYER % 0}).opacity == 1")
            pictures.append(page.screenshot(**box))
        self.assertGreater(likeness(photo, pictures[0]), 0.98)
        self.assertLess(likeness(photo, pictures[1]), 0.96)
        page.run(f"{PLAYER % 0}.stop()")
        self.wait_until_photo(page)

    def test_the_keyboard_plays_while_a_key_is_held(self):
        page = self.open(self.pair)
        before = page.screenshot()
        page.key("keyDown", "Tab", "Tab")
        page.key("keyUp", "Tab", "Tab")
        self.assertEqual(page.run("document.activeElement.localName"), "live-photo")
        self.assertLess(likeness(before, page.screenshot()), 1, "there is no focus ring")
        for key, code, text in (" ", "Space", " "), ("Enter", "Enter", "\r"):
            page.key("keyDown", key, code, text)
            self.wait_until_shown(page)
            page.key("keyUp", key, code)
            self.wait_until_photo(page)
        page.key("keyDown", " ", "Space", " ")
        self.wait_until_shown(page)
        page.key("keyDown", "Escape", "Escape")
        self.wait_until_photo(page)
        self.assertEqual(page.run("scrollY"), 0)

    def test_a_screen_reader_finds_a_button_and_its_click_plays_the_whole_movie(self):
        page = self.open(self.pair)
        page.call("Accessibility.enable")
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
        buttons = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "button"]
        self.assertEqual(buttons, ["Live Photo, beach.JPG, press and hold to play", "Sound"])
        page.run(f"{PLAYER % 0}.shadowRoot.getElementById('stage').click()")
        self.wait_until_shown(page)
        self.assertEqual(page.run(f"{PLAYER % 0}.shadowRoot.getElementById('stage').ariaPressed"), "true")
        page.run(f"{PLAYER % 0}.shadowRoot.getElementById('stage').click()")
        self.wait_until_photo(page)

    def test_a_finger_that_rests_plays_and_one_that_moves_scrolls(self):
        page = self.open(self.folder, width=390, height=500, touch=True)
        x, y = self.middle(page)
        page.run("addEventListener('contextmenu', e => { window.menu = !e.defaultPrevented; }); 0")
        page.touch("touchStart", (x, y))
        self.wait_until_shown(page)
        page.run(f"{PLAYER % 0}.shadowRoot.getElementById('stage').dispatchEvent("
                 "new PointerEvent('contextmenu', {bubbles: true, composed: true, cancelable: true}))")
        self.assertIs(page.run("window.menu"), False)
        page.touch("touchEnd")
        self.wait_until_photo(page)
        page.run("window.played = false; addEventListener('livephotoplay', () => { window.played = true; }); 0")
        before = page.run("scrollY")
        page.touch("touchStart", (x, y))
        for step in range(1, 9):
            page.touch("touchMove", (x, y - 20 * step))
        page.touch("touchEnd")
        page.wait(f"scrollY > {before} + 40")
        time.sleep(0.3)
        self.assertFalse(page.run("window.played"))
        self.assertFalse(self.state(page)["playing"])

    def test_sound_is_off_until_it_is_asked_for(self):
        page = self.open(self.folder)
        sound, movie = (f"{PLAYER % 0}.shadowRoot.getElementById('{name}')" for name in ("sound", "movie"))
        x, y = self.middle(page)
        page.mouse("mousePressed", x, y)
        self.wait_until_shown(page)
        self.assertTrue(page.run(f"{movie}.muted"))
        page.mouse("mouseReleased", x, y)
        at = page.run(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({sound}.getBoundingClientRect())")
        page.mouse("mousePressed", *at)
        page.mouse("mouseReleased", *at)
        self.assertEqual(page.run(f"{sound}.ariaPressed"), "true")
        page.mouse("mousePressed", x, y)
        self.wait_until_shown(page)
        self.assertFalse(page.run(f"{movie}.muted"))
        page.mouse("mouseReleased", x, y)
        # The pair without sound has no button.
        shown = page.run("[...document.querySelectorAll('live-photo')].map(e => "
                         "getComputedStyle(e.shadowRoot.getElementById('sound')).display != 'none')")
        self.assertEqual(sorted(shown), [False, True, True])

    def test_it_plays_on_hover_only_if_asked_and_not_with_reduced_motion(self):
        hovering = preview("hover", FOLDER / "pairs/beach.JPG", "--hover")
        for url, reduced, plays in (self.pair, False, False), (hovering, False, True), (hovering, True, False):
            page = self.open(url, reduced_motion=reduced)
            page.hover(*self.middle(page))
            if plays:
                self.wait_until_shown(page)
                page.hover(1, 1)
                self.wait_until_photo(page)
            else:
                time.sleep(0.4)
                self.assertFalse(self.state(page)["playing"])
        # The last page still plays when it is pressed, without a fade.
        page.mouse("mousePressed", *self.middle(page))
        self.wait_until_shown(page)
        self.assertEqual(page.run(f"getComputedStyle({PLAYER % 0}.shadowRoot.getElementById('movie')).transitionDuration"), "0s")

    def test_what_browsers_lack_is_shown_as_copies(self):
        page = self.open(self.folder)
        number = page.run("[...document.querySelectorAll('live-photo')].findIndex(e => e.getAttribute('alt') == 'hevc.HEIC')")
        page.mouse("mousePressed", *self.middle(page, number))
        self.wait_until_shown(page, number)
        self.assertIn("shown as an H.264 copy", page.run("document.body.innerText"))
        self.assertGreater(page.run(f"{PLAYER % number}.shadowRoot.getElementById('photo').naturalWidth"), 0)

    def test_a_gallery_of_500_scrolls_without_loading_all(self):
        page = self.open(preview("many", FOLDER / "many"))
        self.assertEqual(page.run("document.querySelectorAll('live-photo').length"), 500)
        height, top, most = page.run("document.documentElement.scrollHeight"), 0, 0
        while top < height:
            page.run(f"scrollTo(0, {top}); new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
            most = max(most, page.run(f"{LOADED}.length"))
            top += 1200
        self.assertLess(most, 100)
        self.assertEqual(page.run("document.querySelectorAll('live-photo[playing]').length"), 0)
        # The last ones work, and only few movies stay open.
        for number in range(490, 500):
            page.hover(*self.middle(page, number))
        page.mouse("mousePressed", *self.middle(page, 499))
        self.wait_until_shown(page, 499)
        opened = "[...document.querySelectorAll('live-photo')].filter(e => e.shadowRoot.getElementById('movie')).length"
        self.assertLessEqual(page.run(opened), 4)

    def test_hostile_names_and_metadata_stay_text(self):
        page = self.open(preview("hostile", FOLDER / "hostile"))
        names = sorted(path.name for path in (FOLDER / "hostile").glob("*.JPG"))
        self.assertEqual(sorted(page.run("[...document.querySelectorAll('figcaption b')].map(e => e.innerText)")), names)
        self.assertIn("<script>alert(1)</script>", page.run("document.querySelector('.findings').innerText"))
        self.assertEqual(page.run("document.querySelectorAll('figure :is(script, svg, iframe), [onerror], figure img').length"), 0)
        page.mouse("mousePressed", *self.middle(page))
        self.wait_until_shown(page)

    def test_the_policy_lets_nothing_else_run_or_load(self):
        page = self.open(self.pair, expected=None)
        page.run("""window.ran = [];
            const script = document.createElement('script');
            script.textContent = "window.ran.push('script')";
            document.body.append(script);
            document.body.insertAdjacentHTML('beforeend', '<img src=data:, onerror="window.ran.push(1)">'
                + '<p style="color: rgb(1, 2, 3)" id=styled></p>');
            const image = new Image(); image.src = 'http://127.0.0.1:9/x.png'; document.body.append(image);
            const frame = document.createElement('iframe'); frame.src = 'http://127.0.0.1:9/'; document.body.append(frame);
            fetch('http://127.0.0.1:9/').catch(() => window.ran.push('refused')); 0""")
        page.wait("window.ran.length > 0")
        time.sleep(0.3)
        self.assertEqual(page.run("window.ran"), ["refused"])
        self.assertNotEqual(page.run("getComputedStyle(document.getElementById('styled')).color"), "rgb(1, 2, 3)")
        problems = " ".join(page.problems())
        for directive in ("script-src", "style-src", "img-src", "default-src"):
            self.assertIn(directive, problems)
        page.close()

    def test_linked_files_play_whatever_their_names_are(self):
        folder = FOLDER / "linked"
        shutil.copytree(FOLDER / "hostile", folder, dirs_exist_ok=True)
        livephoto("preview", folder, "--link", "--output", folder / "index.html", "--force")
        self.assertLess((folder / "index.html").stat().st_size, 60_000)
        page = self.open((folder / "index.html").as_uri())
        for number in range(page.run("document.querySelectorAll('live-photo').length")):
            page.mouse("mousePressed", *self.middle(page, number))
            self.wait_until_shown(page, number)
            page.mouse("mouseReleased", *self.middle(page, number))
            page.wait(f"{PLAYER % number}.shadowRoot.getElementById('photo').naturalWidth > 0")
        self.assertTrue(all(url.startswith(folder.as_uri() + "/") for url in page.requests()), page.requests())

    def test_the_photos_of_a_report_play_from_the_files_of_the_batch(self):
        livephoto("batch", "report", FOLDER / "batch", "--html", FOLDER / "batch/report.html", "--force")
        page = self.open((FOLDER / "batch/report.html").as_uri())
        page.mouse("mousePressed", *self.middle(page))
        self.wait_until_shown(page)
        shutil.copy(FOLDER / "batch/report.html", FOLDER / "moved.html")
        page = self.open((FOLDER / "moved.html").as_uri(), expected=None)
        page.mouse("mousePressed", *self.middle(page))
        page.wait(f"{PLAYER % 0}.shadowRoot.getElementById('status').innerText.includes('cannot be played')")
        page.close()

    def test_the_page_of_many_jobs_leads_to_all_files_by_keyboard(self):
        def file(name):
            return {"path": name, "bytes": 1, "sha256": ""}

        records = [{"id": f"job-{number}", "status": "done", "photo": file("beach.JPG"), "movie": file("beach.MOV")}
                   for number in range(501)]
        (FOLDER / "batch/many.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        livephoto("batch", "report", FOLDER / "batch/many.jsonl", "--html", FOLDER / "batch/many.html", "--force")
        page = self.open((FOLDER / "batch/many.html").as_uri())
        self.assertEqual(page.run("document.querySelectorAll('live-photo').length"), 240)
        page.run("document.querySelector('a[href=\"#all\"]').focus()")
        for key, text in ("Enter", "\r"), ("Tab", ""), ("Enter", "\r"), ("Tab", ""):
            page.key("keyDown", key, key, text)
            page.key("keyUp", key, key)
        page.wait("document.activeElement.innerText === 'job-0'")
        self.assertEqual(page.run("document.activeElement.href"), (FOLDER / "batch/beach.JPG").as_uri())

    def test_a_click_on_a_picture_of_a_sheet_copies_its_option(self):
        sheet = FOLDER / "pages" / "sheet.html"
        livephoto("frames", FOLDER / "pairs/beach.MOV", "--count", 5, "--output", sheet, "--force")
        page = self.open(sheet.as_uri())
        self.browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        options = page.run("[...document.querySelectorAll('[data-still]')].map(e => e.dataset.still)")
        self.assertEqual(len(options), 5)
        self.assertEqual(page.run("document.querySelectorAll('.best').length"), 1)
        for number, option in enumerate(options):
            button = f"document.querySelectorAll('[data-still]')[{number}]"
            x, y = page.run(f"{button}.scrollIntoView(), (r => [r.x + r.width / 2, r.y + 20])({button}.getBoundingClientRect())")
            page.mouse("mousePressed", x, y)
            page.mouse("mouseReleased", x, y)
            page.wait(f"document.getElementById('copied').innerText == 'Copied: {option}'")
            self.assertEqual(page.run("navigator.clipboard.readText()"), option)
        # The option is one that convert takes.
        livephoto("convert", FOLDER / "pairs/beach.MOV", *options[2].split(), "--dry-run")
        self.assertEqual(page.requests(), [sheet.as_uri()])

    def test_pages_fit_phones_and_dark_screens(self):
        colors = []
        for dark in (False, True):
            page = self.open(self.folder, width=320, height=600, dark=dark, touch=True)
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 320)
            colors.append(page.run("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(set(colors)), 2)

    def test_the_player_works_on_other_pages_with_a_strict_policy(self):
        site = FOLDER / "site"
        site.mkdir(exist_ok=True)
        (site / "live-photo.js").write_text(livephoto("preview", "--player"))
        for name in ("beach.JPG", "beach.MOV"):
            shutil.copy(FOLDER / "pairs" / name, site / name)
        (site / "index.html").write_text("""<!DOCTYPE html><link rel="icon" href="beach.JPG"><script type="module" src="live-photo.js"></script>
            <live-photo photo="beach.JPG" movie="beach.MOV" still="1.5" alt="A wave"></live-photo>""")

        class Handler(http.server.SimpleHTTPRequestHandler):
            def end_headers(self):
                self.send_header("Content-Security-Policy", "default-src 'self'")
                super().end_headers()

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            page = self.open(f"http://127.0.0.1:{server.server_port}/index.html", expected=None)
            page.mouse("mousePressed", *self.middle(page))
            self.wait_until_shown(page)
            page.mouse("mouseReleased", *self.middle(page))
            self.wait_until_photo(page)
            self.assertEqual(page.problems(), [])
            page.close()
            server.shutdown()


if __name__ == "__main__":
    os.chdir(FOLDER)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
