"""The studio with keys alone: here no script of a test focuses or clicks anything."""

import filecmp
import json
import shutil
import tempfile
import unittest

from studio import FOLDER, remade
from test_studio_page import BrowserTests, StudioPage


class KeyboardPage(StudioPage):
    def tab_to(self, selector, backwards=False, limit=150):
        """Presses Tab until an element that matches is focused."""
        condition = f"document.activeElement?.matches({json.dumps(selector)}) ?? false"
        for _ in range(limit):
            if self.page.run(condition):
                return
            self.press("Tab", shift=backwards)
        raise AssertionError(f"Tab does not lead to {selector}")

    def enter(self, selector):
        self.tab_to(selector)
        self.page.key("keyDown", "Enter", "Enter", "\r")
        self.page.key("keyUp", "Enter", "Enter")

    def space(self):
        self.page.key("keyDown", " ", "Space", " ")
        self.page.key("keyUp", " ", "Space")

    def open_tab(self, name):
        """Opens a tab of the panel: Tab leads to the list of tabs, arrows within it."""
        self.tab_to("[role=tab]")
        for _ in range(8):
            if self.page.run(f"document.activeElement.id === 'tab-{name}'"):
                return
            self.press("ArrowRight")
        raise AssertionError(f"no arrow leads to the tab {name}")

    def type(self, text):
        for letter in text:
            self.press(letter, "Key" + letter.upper())

    def text(self, selector):
        return self.page.wait(f"document.querySelector({json.dumps(selector)})?.textContent")


class KeyboardTests(BrowserTests):
    window_type = KeyboardPage

    def library(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for name in ("one.mp4", "two.mp4", "beach.JPG", "beach.MOV"):
            shutil.copy(FOLDER / "library" / name, folder)
        return folder

    def test_a_clip_is_cropped_adjusted_named_made_saved_and_sent(self):
        studio, window = self.edit(FOLDER / "beach.mp4")
        window.open_tab("crop")
        window.tab_to("#shapes input")
        window.press("ArrowRight", count=2)
        shape = window.page.run("document.querySelector('#shapes input:checked').value")
        self.assertNotEqual(shape, "as-is")
        window.tab_to("[data-crop=move]", backwards=True)
        before = window.page.run("document.activeElement.ariaLabel")
        window.press("ArrowRight", count=3)
        self.assertNotEqual(window.page.run("document.activeElement.ariaLabel"), before)
        window.open_tab("adjust")
        window.tab_to("#slider-exposure")
        window.press("ArrowRight", count=4)
        window.open_tab("moment")
        window.tab_to("#still-handle")
        window.press("ArrowLeft", count=3)
        window.open_tab("details")
        window.tab_to("#name")
        window.type("wave")
        window.press("Tab")
        window.settle()
        command = window.text("#command")
        for part in ("--crop", "--exposure", "--still", "--name"):
            self.assertIn(part, command)
        window.enter("#make")
        window.page.wait("document.querySelector('#outcome live-photo') !== null", 60)
        made = sorted(path.name for path in studio.output.iterdir())
        self.assertEqual(len(made), 2)
        for name in made:
            self.assertTrue(filecmp.cmp(remade(command, studio) / name, studio.output / name, shallow=False), name)
        window.tab_to("[data-form='motion.jpg']")
        window.enter("#to-phone")
        window.page.wait("document.querySelector('#phone .qr, .phone-panel .problem:not([hidden])') !== null")
        # A machine without a network cannot send.
        if window.page.run("document.querySelector('#phone .qr') !== null"):
            window.enter("#phone-stop")
            window.page.wait("document.querySelector('#phone .qr') === null")
        self.assertEqual(window.page.problems(), [])

    def test_a_live_photo_is_edited_and_its_files_are_restored(self):
        folder = self.library()
        studio, window = self.open(folder)
        window.page.wait("document.querySelectorAll('#items > *').length === 3")
        pair = window.page.run("[...document.querySelectorAll('#items a.open')]"
                               ".find((each) => each.textContent.includes('beach')).getAttribute('href')")
        window.enter(f"#items a.open[href='{pair}']")
        window.page.wait("!document.querySelector('#editor').hidden && document.querySelector('#stage-note').hidden "
                         "&& document.querySelector('#still-handle') !== null", 60)
        window.open_tab("details")
        window.tab_to("#target input")
        window.press("ArrowRight")
        window.open_tab("adjust")
        window.tab_to("#slider-exposure")
        window.press("ArrowRight", count=5)
        window.settle()
        window.enter("#make")
        window.page.wait("document.querySelector('#job-state')?.dataset.state === 'done'", 60)
        self.assertFalse(filecmp.cmp(FOLDER / "library" / "beach.JPG", f"{folder}/beach.JPG", shallow=False))
        window.enter("#outcome [data-action=undo]")
        window.page.wait("document.querySelector('#outcome [data-action=undo]') === null")
        self.assertTrue(window.page.run("document.querySelector('#outcome live-photo') === null"))
        self.assertEqual(window.page.run("document.querySelector('#outcome').innerText.split('restored').length"), 2)
        for name in ("beach.JPG", "beach.MOV"):
            self.assertTrue(filecmp.cmp(FOLDER / "library" / name, f"{folder}/{name}", shallow=False), name)
        # Before anything is chosen, the server answers that an edit would change nothing.
        self.assertEqual([text for text in window.page.problems() if "422" not in text], [])

    def test_many_clips_are_made_with_a_preset(self):
        studio, window = self.open(self.library())
        window.page.wait("document.querySelectorAll('#items > *').length === 3")
        window.enter("#choose-all")
        window.tab_to(".pick input")
        window.space()
        window.space()
        window.tab_to("#batch-preset")
        window.press("ArrowDown")
        window.enter("#batch")
        window.page.wait("document.querySelector('#job-state')?.dataset.state === 'done'", 60)
        self.assertEqual(len(list(studio.output.rglob("*.MOV"))), 2)
        self.assertEqual(window.page.problems(), [])

    def test_photos_and_movies_that_belong_together_are_linked(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for name in ("IMG_1.JPG", "IMG_1.MOV"):
            shutil.copy(FOLDER / "unlinked" / name, folder)
        _, window = self.open(folder)
        window.page.wait("document.querySelectorAll('#items > *').length > 0")
        window.enter("#link")
        window.page.wait("document.querySelector('#folder').open && !document.querySelector('#folder-go').hidden")
        window.enter("#folder-go")
        window.page.wait("document.querySelector('#job-state')?.dataset.state === 'done'", 60)
        self.assertEqual(window.page.problems(), [])


if __name__ == "__main__":
    unittest.main()
