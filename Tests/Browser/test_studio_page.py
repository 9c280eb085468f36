"""The studio's page in a browser: by mouse, by keyboard, in two windows, in both languages."""

import filecmp
import json
import time
import unittest

from chromium import Chromium
from studio import FOLDER, Studio, remade

# Of the strip's edge, in pixels.
INSET = 26


class StudioPage:
    """The editor of a clip in a tab."""

    def __init__(self, browser, address, **options):
        self.page = browser.open(address, 1280, 800, **options)

    def wait_for_editor(self, seconds=60):
        self.page.wait("document.querySelector('#still-handle') !== null && !document.querySelector('#editor').hidden",
                       seconds)
        self.page.wait("document.querySelector('#stage-note').hidden && !document.querySelector('#make').disabled "
                       "&& !document.querySelector('.summary.waiting')", seconds)
        return self

    def box(self, selector):
        return self.page.run(f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect(); "
                             "return { x: box.x, y: box.y, width: box.width, height: box.height }; })()")

    def now(self, handle):
        return float(self.page.run(f"document.querySelector('#{handle}').getAttribute('aria-valuenow')"))

    def drag(self, handle, seconds):
        """Drags a handle of the strip to a time."""
        film, box = self.box("#film"), self.box(f"#{handle}")
        duration = float(self.page.run(f"document.querySelector('#{handle}').getAttribute('aria-valuemax')"))
        scale = (film["width"] - 2 * INSET) / duration
        start, y = film["x"] + INSET + self.now(handle) * scale, box["y"] + box["height"] / 2
        end = film["x"] + INSET + seconds * scale
        self.page.mouse("mousePressed", start, y)
        for part in range(1, 6):
            self.page.mouse("mouseMoved", start + (end - start) * part / 5, y)
        self.page.mouse("mouseReleased", end, y)

    def press(self, key, code=None, count=1, shift=False, control=False):
        code = code or key
        for _ in range(count):
            for kind in ("rawKeyDown", "keyUp"):
                text = {} if len(key) > 1 or control or kind == "keyUp" else {"text": key}
                self.page.call("Input.dispatchKeyEvent", type="keyDown" if text else kind, key=key, code=code,
                               modifiers=(8 if shift else 0) | (2 if control else 0),
                               windowsVirtualKeyCode=KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0), **text)

    def focus(self, selector):
        self.page.run(f"document.querySelector({json.dumps(selector)}).focus()")

    def click(self, selector):
        self.page.wait(f"document.querySelector({json.dumps(selector)}) !== null")
        self.page.run(f"document.querySelector({json.dumps(selector)}).click()")

    def tab(self, name):
        self.click(f"#tab-{name}")

    def settle(self):
        """Waits until the plan for the present choices is there."""
        time.sleep(0.3)
        self.page.wait("!document.querySelector('.summary.waiting') && !document.querySelector('#make').disabled")

    def command(self):
        self.settle()
        self.tab("details")
        return self.page.wait("document.querySelector('#command').textContent")

    def make(self, seconds=120):
        self.settle()
        self.click("#make")
        self.page.wait("document.querySelector('#outcome live-photo') !== null", seconds)


KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32, "Tab": 9, "Enter": 13, "Escape": 27, "[": 219, "]": 221}


class BrowserTests(unittest.TestCase):
    """Tests of the studio in a browser that they share."""
    window_type = StudioPage

    @classmethod
    def setUpClass(cls):
        cls.chromium = Chromium()

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()

    def open(self, *arguments):
        studio = Studio(*arguments)
        self.addCleanup(studio.close)
        window = self.window_type(self.chromium, studio.address)
        self.addCleanup(window.page.close)
        return studio, window

    def edit(self, *arguments):
        """Opens a clip, whose editor is then ready."""
        studio, window = self.open(*arguments)
        window.wait_for_editor()
        return studio, window


class PageTests(BrowserTests):
    def test_a_dragged_still_window_and_crop_are_made_as_the_command_says(self):
        studio, window = self.edit(FOLDER / "beach.mp4")
        window.drag("still-handle", 1.2)
        window.drag("start-handle", 0.5)
        window.drag("end-handle", 2.4)
        frame = window.page.run("document.querySelector('#still-handle').getAttribute('aria-valuetext')")
        # At the picture's scale, a pixel of the strip is less than a frame.
        self.assertAlmostEqual(window.now("still-handle"), 1.2, delta=0.034)
        self.assertIn(str(round(window.now("still-handle") * 30)), frame)
        window.tab("crop")
        window.click("#shapes [value='1:1']")
        command = window.command()
        self.assertIn("--fill 1:1", command)
        window.make()
        for name in ("beach.JPG", "beach.MOV"):
            self.assertTrue(filecmp.cmp(remade(command, studio) / name, studio.output / name, shallow=False), name)
        self.assertEqual(window.page.problems(), [])

    def test_everything_can_be_done_with_the_keyboard(self):
        studio, window = self.edit(FOLDER / "beach.mp4")
        window.focus("#playhead")
        window.press("Home")
        window.press("ArrowRight", count=3, shift=True)
        window.press("ArrowRight", count=2)
        self.assertAlmostEqual(window.now("playhead"), 32 / 30, places=2)
        window.press("s", "KeyS")
        self.assertAlmostEqual(window.now("still-handle"), 32 / 30, places=2)
        window.focus("#start-handle")
        before = window.now("start-handle")
        window.press("ArrowRight")
        self.assertGreater(window.now("start-handle"), before)
        window.press("z", "KeyZ", control=True)
        self.assertAlmostEqual(window.now("start-handle"), before, places=2)
        window.press("Z", "KeyZ", control=True, shift=True)
        self.assertGreater(window.now("start-handle"), before)
        window.settle()
        window.focus("#make")
        window.page.key("keyDown", "Enter", "Enter", "\r")
        window.page.key("keyUp", "Enter", "Enter")
        window.page.wait("document.querySelector('#outcome live-photo') !== null", 60)
        self.assertEqual(sorted(path.name for path in studio.output.iterdir()), ["beach.JPG", "beach.MOV"])

    def test_removed_marks_leave_the_still_and_the_focus(self):
        _, window = self.edit(FOLDER / "beach.mp4")
        window.drag("still-handle", 1.2)
        window.drag("start-handle", 0.8)
        window.drag("end-handle", 1.8)
        still = window.now("still-handle")
        window.focus("#playhead")
        window.press("Home")
        window.press("m", "KeyM")
        self.assertIn("around its own still", window.page.run("document.querySelector('#announcer').textContent"))
        window.focus("#panel .remove")
        window.press("z", "KeyZ", control=True)
        self.assertEqual(window.page.run("document.activeElement.id"), "mark")
        window.press("m", "KeyM")
        window.click("#panel .cards:has(.remove) li:last-child .remove")
        window.page.wait("document.querySelectorAll('#panel .remove').length < 2")
        self.assertAlmostEqual(window.now("still-handle"), still, places=3)
        window.settle()

    def test_the_end_stays_where_it_is_in_the_clip_whatever_the_effect_makes_of_it(self):
        _, window = self.edit(FOLDER / "beach.mp4")
        window.drag("end-handle", 2.0)
        window.settle()
        end = window.page.run("document.querySelector('#end-field').value")
        window.tab("effects")
        window.click("input[value=bounce]")
        window.settle()
        self.assertEqual(window.page.run("document.querySelector('#end-field').value"), end)

    def test_a_time_that_cannot_be_is_said_at_its_field(self):
        _, window = self.edit(FOLDER / "beach.mp4")
        for field, text, words in (("still", "abc", "Seconds, such as"), ("end", "99", "The clip ends at 3.000 s.")):
            problem = f"document.querySelector('#{field}-field').closest('.field').querySelector('[role=alert]')"
            self.assertTrue(window.page.run(f"{problem}.hidden"))
            before = window.now(f"{field}-handle")
            window.page.run(f"(() => {{ const field = document.querySelector('#{field}-field'); "
                            f"field.value = '{text}'; field.dispatchEvent(new Event('change')); }})()")
            self.assertFalse(window.page.run(f"{problem}.hidden"))
            self.assertIn(words, window.page.run(f"{problem}.textContent"))
            self.assertEqual(window.now(f"{field}-handle"), before)
            window.settle()
            self.assertEqual(window.page.run(f"document.querySelector('#{field}-field').value"), text)
        window.drag("end-handle", 2.0)
        self.assertTrue(window.page.run(f"{problem}.hidden"))
        self.assertEqual(window.page.run("document.querySelector('#end-field').value"), f"{window.now('end-handle'):.3f}")

    def test_a_slider_of_whole_numbers_keeps_its_zeros(self):
        _, window = self.edit(FOLDER / "beach.mp4")
        for name, amount in (("contrast", 50), ("saturation", -100)):
            window.tab("adjust")
            window.page.run(f"(() => {{ const slider = document.querySelector('#slider-{name}'); slider.value = {amount}; "
                            "for (const kind of ['input', 'change']) slider.dispatchEvent(new Event(kind)); })()")
            self.assertRegex(window.command(), f"--{name}[ =]{amount}( |$)")

    def test_steps_of_a_handle_with_a_pause_between_them_are_undone_one_by_one(self):
        _, window = self.edit(FOLDER / "beach.mp4")
        places = []
        for _ in range(3):
            window.focus("#start-handle")
            window.press("ArrowRight")
            places.append(window.now("start-handle"))
            time.sleep(1.1)
        for place in reversed(places[:-1]):
            window.press("z", "KeyZ", control=True)
            self.assertAlmostEqual(window.now("start-handle"), place, places=3)

    def test_effects_without_sound_do_not_promise_it(self):
        _, window = self.edit(FOLDER / "beach.mp4")
        window.tab("effects")
        sound = "(({ checked, disabled }) => [checked, disabled])(document.querySelector('#sound'))"
        for effect, expected in (("", [True, False]), ("bounce", [False, True]), ("loop", [False, True])):
            window.click(f"#effects input[value='{effect}']")
            self.assertEqual(window.page.run(sound), expected, effect)
        window.click("#effects input[value='']")
        self.assertEqual(window.page.run(sound), [True, False])

    def test_a_clip_that_failed_among_many_leads_to_it(self):
        studio, window = self.open(FOLDER / "library")
        window.page.wait("document.querySelectorAll('#items > *').length === 4")
        window.click("#choose-all")
        window.click("#batch")
        window.page.wait("document.querySelector('#job-state')?.dataset.state === 'failed'", 60)
        window.page.wait("document.querySelector('#outcome .parts a') !== null")
        self.assertEqual(window.page.run("document.querySelector('#outcome .parts a').textContent"), "broken.mp4")
        window.click("#outcome .parts a")
        window.page.wait("document.querySelector('#outcome').hidden && document.body.innerText.includes('broken.mp4')")

    def test_choices_survive_a_reload_and_windows_do_not_share_them(self):
        studio, window = self.edit(FOLDER / "beach.mp4")
        window.drag("still-handle", 0.7)
        window.settle()
        still = window.now("still-handle")
        other = StudioPage(self.chromium, studio.origin + "/").wait_for_editor()
        self.addCleanup(other.page.close)
        self.assertNotAlmostEqual(other.now("still-handle"), still, places=2)
        window.page.call("Page.reload")
        time.sleep(0.5)
        window.wait_for_editor()
        self.assertAlmostEqual(window.now("still-handle"), still, places=3)

    def test_a_broken_file_is_a_message_with_a_way_on(self):
        studio, window = self.open(FOLDER / "library" / "broken.mp4", FOLDER / "beach.mp4")
        window.page.wait("document.querySelectorAll('#items > *').length === 2")
        window.page.run("location.hash = '#/item/1'")
        window.page.wait("document.body.innerText.includes('broken.mp4')")
        window.click("#home")
        window.page.wait("!document.querySelector('#start').hidden")

    def test_a_frame_that_comes_while_a_small_one_is_decoded_in_its_place_is_shown(self):
        _, window = self.edit(FOLDER / "long.mp4")
        window.page.run("(() => { const decode = createImageBitmap; window.createImageBitmap = async (...all) => { "
                        "await new Promise((done) => setTimeout(done, 2500)); return decode(...all); }; })()")
        box = window.box("#film")
        for kind in ("mousePressed", "mouseReleased"):
            window.page.mouse(kind, box["x"] + box["width"] * 0.2, box["y"] + 40)
        window.page.wait("Math.abs(document.querySelector('#stage').dataset.seconds - 14) < 2 "
                         "&& document.querySelector('#stage').dataset.exact === 'true'", 20)

    def test_jobs_go_on_without_a_window(self):
        studio, window = self.edit(FOLDER / "long.mp4")
        window.click("#make")
        time.sleep(0.3)
        window.page.close()
        for _ in range(600):
            if (studio.output / "long.MOV").exists():
                break
            time.sleep(0.1)
        self.assertTrue((studio.output / "long.MOV").exists())

    def test_the_page_speaks_german_too(self):
        _, window = self.edit(FOLDER / "beach.mp4")
        window.page.run("(() => { const list = document.querySelector('#language'); list.value = 'de'; "
                        "list.dispatchEvent(new Event('change', { bubbles: true })); })()")
        window.page.wait("document.documentElement?.lang === 'de'")
        window.wait_for_editor()
        self.assertNotIn("Make Live Photo", window.page.run("document.body.innerText"))

    def test_nothing_is_loaded_from_elsewhere(self):
        studio, window = self.edit(FOLDER / "beach.mp4")
        self.assertEqual([url for url in window.page.requests() if not url.startswith(studio.origin)], [])


if __name__ == "__main__":
    unittest.main()
