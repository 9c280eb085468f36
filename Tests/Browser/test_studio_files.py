"""What the studio makes of clips and Live Photos, asked as its page asks."""

import filecmp
import io
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse
import zipfile

from studio import FOLDER, Studio, remade


def made(folder):
    return sorted(path.name for path in folder.iterdir())


class MakeTests(unittest.TestCase):
    def setUp(self):
        self.studio = Studio(FOLDER / "beach.mp4")
        self.addCleanup(self.studio.close)
        self.studio.enter()
        self.studio.items()

    def make(self, choice, item=1):
        job = self.studio.job(self.studio.json(f"api/items/{item}/make", choice)["job"])
        self.assertEqual(job["state"], "done", job)
        return job

    def test_the_shown_command_makes_the_same_bytes(self):
        cases = [
            {"settings": {}},
            {"settings": {"still": "1.3", "start": "0.5", "end": "2.2", "crop": "100,50,320,240"}, "name": "a b"},
            {"settings": {"still": "1", "fill": "3:4", "exposure": "-0.5", "saturation": "-100"}, "name": "gray",
             "flags": ["no-audio", "no-metadata"]},
            {"preset": "compact", "settings": {"effect": "bounce", "rotate": "90", "speed": "0.5"}, "name": "-x",
             "date": "2025-10-12T23:36:14+13:00"},
            {"stills": ["0.8", "1.5", "2.4"], "settings": {}, "name": "several"},
        ]
        for choice in cases:
            with self.subTest(choice=choice):
                command = self.studio.json("api/items/1/plan", choice)["command"]
                self.make(choice)
                folder = remade(command, self.studio)
                self.assertGreater(len(made(folder)), 1)
                for name in made(folder):
                    self.assertTrue(filecmp.cmp(folder / name, self.studio.output / name, shallow=False), name)

    def test_the_still_is_exactly_the_frame_that_was_chosen(self):
        header, _ = self.studio.pack("api/items/1/frames?from=0&to=3")
        self.assertEqual(len(header["frames"]), 90)
        for index in (20, 45, 77):
            frame = header["frames"][index]
            plan = self.studio.json("api/items/1/plan", {"settings": {"still": frame["still"]}})
            self.assertAlmostEqual(plan["stillSeconds"], frame["seconds"], places=5)

    def test_parts_of_a_clip_follow_one_another_without_gap_and_overlap(self):
        whole, pictures = self.studio.pack("api/items/1/frames")
        for cuts in ([0, 1, 2, 3], [0, 0.51, 1.0333, 2.999], [0, 1.0, 1.000001, 3]):
            times, jpegs = [], []
            for start, end in zip(cuts, cuts[1:]):
                header, part = self.studio.pack(f"api/items/1/frames?from={start}&to={end}")
                kept = [index for index, frame in enumerate(header["frames"]) if not times or frame["seconds"] > times[-1]]
                # Only the frame that is still shown at the start is there twice.
                self.assertGreaterEqual(len(kept) + 1, len(part))
                times += [header["frames"][index]["seconds"] for index in kept]
                jpegs += [part[index] for index in kept]
            self.assertEqual(times, [frame["seconds"] for frame in whole["frames"]], cuts)
            self.assertEqual(jpegs, pictures)

    def test_a_result_is_shown_and_saved_in_each_form(self):
        result = self.make({"settings": {"still": "1"}})["parts"][0]["result"]
        document = self.studio.json(f"api/results/{result}")
        self.assertEqual([f for f in document["findings"] if f["severity"] == "error"], [])
        self.assertEqual(document["photo"], str(self.studio.output / "beach.JPG"))
        for form, kind, start in [("photo", "image/jpeg", b"\xff\xd8"), ("motion.jpg", "image/jpeg", b"\xff\xd8"),
                                  ("animation.gif", "image/gif", b"GIF8"), ("movie", "video/mp4", b"")]:
            response = self.studio.get(f"api/results/{result}/{form}")
            self.assertEqual((response.status, response.getheader("Content-Type")), (200, kind), form)
            self.assertTrue(response.body.startswith(start), form)
        for form, names in [("files.zip", {"beach.JPG", "beach.MOV"}),
                            ("bundle.pvt.zip", {"beach.pvt/", "beach.pvt/beach.JPG", "beach.pvt/beach.MOV"})]:
            archive = zipfile.ZipFile(io.BytesIO(self.studio.get(f"api/results/{result}/{form}").body))
            self.assertTrue(names <= set(archive.namelist()), archive.namelist())

    def test_existing_files_are_not_replaced_unasked(self):
        (self.studio.output / "beach.JPG").write_bytes(b"mine")
        plan = self.studio.json("api/items/1/plan", {"settings": {}})
        self.assertEqual((plan["exists"], plan["freeName"]), (True, "beach-2"))
        refused = self.studio.post("api/items/1/make", {"settings": {}})
        self.assertEqual((refused.status, json.loads(refused.body)["code"]), (409, "outputExists"))
        self.assertEqual((self.studio.output / "beach.JPG").read_bytes(), b"mine")
        self.make({"settings": {}, "name": plan["freeName"]})
        self.make({"settings": {}, "flags": ["force"]})
        self.assertEqual(made(self.studio.output), ["beach-2.JPG", "beach-2.MOV", "beach.JPG", "beach.MOV"])

    def test_what_was_made_already_is_not_made_again(self):
        first = self.make({"settings": {"still": "1"}})
        self.assertFalse(self.studio.json("api/items/1/plan", {"settings": {"still": "1"}})["exists"])
        time = (self.studio.output / "beach.MOV").stat().st_mtime_ns
        self.make({"settings": {"still": "1"}})
        self.assertEqual((self.studio.output / "beach.MOV").stat().st_mtime_ns, time)
        self.assertEqual(first["parts"][0]["state"], "done")

    def test_a_choice_that_cannot_be_is_a_sentence(self):
        for choice, words in [({"settings": {"still": "99"}}, "outside the clip"),
                              ({"settings": {"crop": "0,0,9999,9999"}}, "is not inside"),
                              ({"settings": {"lut": "/etc/passwd"}}, "cannot be chosen"),
                              ({"settings": {"filter": "movie=/etc/passwd"}}, "cannot be chosen"),
                              ({"preset": "/etc/passwd"}, "no preset"), ({"name": "../x"}, "slashes"),
                              ({"date": "yesterday"}, "--date"), ({"settings": {"exposure": "9"}}, "--exposure"),
                              ({"stills": ["1"] * 13}, "at most 12")]:
            response = self.studio.post("api/items/1/plan", choice)
            self.assertEqual(response.status, 422, response.body)
            self.assertIn(words, json.loads(response.body)["error"])
        self.assertEqual(self.studio.post("api/items/1/plan", b"{").status, 400)
        self.assertEqual(self.studio.post("api/items/1/plan", {"flags": ["rm"]}).status, 400)

    def test_a_job_can_be_stopped(self):
        with Studio(FOLDER / "long.mp4") as studio:
            studio.enter()
            studio.items()
            choice = {"settings": {"start": "0", "end": "60", "still": "30", "max-size": "1920x1080"}}
            number = studio.json("api/items/1/make", choice)["job"]
            studio.json(f"api/jobs/{number}/cancel", {})
            self.assertEqual(studio.job(number)["state"], "cancelled")
            self.assertEqual(made(studio.output), [])

    def test_adjustments_change_the_shown_frame(self):
        def picture(settings):
            response = self.studio.post("api/items/1/adjusted", {"seconds": 1.0, "settings": settings})
            self.assertEqual(response.status, 200, response.body)
            facts = subprocess.run(["ffprobe", "-v", "error", "-f", "jpeg_pipe", "-show_entries", "stream=width,height",
                                    "-of", "csv=p=0", "-"], input=response.body, capture_output=True, check=True)
            mean = subprocess.run(["ffmpeg", "-v", "error", "-f", "jpeg_pipe", "-i", "-", "-vf", "scale=1:1,format=gray", "-f",
                                   "rawvideo", "-"], input=response.body, capture_output=True, check=True)
            return facts.stdout.decode().strip(), mean.stdout[0]

        size, brightness = picture({})
        self.assertEqual(size, "640,360")
        self.assertEqual(picture({"rotate": "90"})[0], "360,640")
        self.assertGreater(picture({"exposure": "1"})[1], brightness)
        self.assertLess(picture({"exposure": "-1"})[1], brightness - 20)


class EditTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name in ("beach.JPG", "beach.MOV"):
            shutil.copy2(FOLDER / "pairs" / name, self.folder.name)
        self.photo, self.movie = [pathlib.Path(self.folder.name) / f"beach.{kind}" for kind in ("JPG", "MOV")]
        self.studio = Studio(self.photo)
        self.addCleanup(self.studio.close)
        self.studio.enter()
        self.assertEqual(self.studio.items()[0]["kind"], "pair")

    def edit(self, choice):
        job = self.studio.job(self.studio.json("api/items/1/make", choice)["job"])
        self.assertEqual(job["state"], "done", job)
        return job

    def test_copies_and_changes_in_place(self):
        before = self.photo.read_bytes(), self.movie.read_bytes()
        for settings in ({"end": "2"}, {"exposure": "0.5"}):
            (self.studio.output / "beach.JPG").write_bytes(b"mine")
            plan = self.studio.json("api/items/1/plan", {"settings": settings})
            self.assertEqual((plan["exists"], plan["freeName"]), (True, "beach-2"))
            (self.studio.output / "beach.JPG").unlink()
        changes = ({"end": "2"}, {"exposure": "0.5"})
        for settings in changes:
            choice = {"settings": settings, "name": next(iter(settings))}
            command = self.studio.json("api/items/1/plan", choice)["command"]
            self.assertIn("livephoto edit", command)
            self.edit(choice)
            other = remade(command, self.studio)
            self.assertEqual(len(made(other)), 3)
            for name in made(other):
                self.assertTrue(filecmp.cmp(other / name, self.studio.output / name, shallow=False), name)
        self.assertEqual((self.photo.read_bytes(), self.movie.read_bytes()), before)
        self.assertIn("end.MOV", made(self.studio.output))
        for settings in changes:
            job = self.edit({"settings": settings, "flags": ["in-place"]})
            self.assertNotEqual(self.movie.read_bytes(), before[1])
            self.assertTrue(job["canUndo"])
            self.studio.json(f"api/jobs/{job['id']}/undo", {})
            self.assertNotIn("result", self.studio.job(job["id"])["parts"][0])
            self.assertEqual((self.photo.read_bytes(), self.movie.read_bytes()), before)
            self.assertEqual(self.studio.post(f"api/jobs/{job['id']}/undo", {}).status, 422)


class FolderTests(unittest.TestCase):
    def test_many_clips_become_live_photos_with_a_report(self):
        with Studio(FOLDER / "library") as studio:
            studio.enter()
            items = studio.items(4)
            kinds = {item["name"]: item["kind"] for item in items}
            self.assertEqual(kinds["one.mp4"], "clip")
            self.assertEqual(kinds["beach.JPG"], "pair")
            clips = [item["id"] for item in items if item["kind"] == "clip"]
            job = studio.job(studio.json("api/batch", {"items": clips, "preset": "compact"})["job"])
            states = {part["name"]: part["state"] for part in job["parts"]}
            self.assertEqual(states, {"one.mp4": "done", "two.mp4": "done", "broken.mp4": "failed"})
            part = next(part for part in job["parts"] if part["name"] == "one.mp4")
            command = studio.json(f"api/results/{part['result']}")["command"]
            self.assertRegex(command, "one.mp4 --preset compact --output ")
            self.assertTrue(job["hasReport"])
            report = studio.get(f"api/jobs/{job['id']}/report")
            self.assertIn(b"broken.mp4", report.body)
            self.assertEqual(report.body.count(b"data:image/jpeg"), 2)
            self.assertNotIn("script-src", report.getheader("Content-Security-Policy"))

    def test_pairs_are_linked_and_an_import_is_planned(self):
        folder = FOLDER / "unlinked"
        with Studio(folder) as studio:
            studio.enter()
            studio.items(1)
            self.assertIn("Repair pairs", studio.items(2)[1]["problem"])
            plan = studio.json("api/link")
            self.assertEqual(plan["pairs"], [{"photo": "IMG_1.JPG", "movie": "IMG_1.MOV"}])
            before = {name: (folder / name).read_bytes() for name in made(folder)}
            job = studio.job(studio.json("api/link", {})["job"])
            self.assertEqual((job["state"], job["canUndo"]), ("done", True), job)
            self.assertEqual(studio.json("api/link")["pairs"], [])
            self.assertEqual([item["kind"] for item in studio.items()], ["pair"])
            self.assertIn("1 Live Photo", studio.json("api/import")["text"])
            studio.json(f"api/jobs/{job['id']}/undo", {})
            self.assertEqual({name: (folder / name).read_bytes() for name in before}, before)
            self.assertEqual([item["kind"] for item in studio.items()], ["clip", "unreadable"])

    def test_a_file_can_be_given_in_the_page(self):
        with Studio() as studio:
            studio.enter()
            self.assertEqual(studio.items(0), [])
            data = (FOLDER / "beach.mp4").read_bytes()
            item = json.loads(studio.post("api/uploads?name=beach.mp4", data, Content_Type="video/mp4").body)
            self.assertEqual((item["kind"], item["isUpload"]), ("clip", True))
            job = studio.job(studio.json(f"api/items/{item['id']}/make", {"settings": {}})["job"])
            self.assertEqual(job["state"], "done", job)
            self.assertEqual(made(studio.output), ["beach.JPG", "beach.MOV"])
            left = studio.close()
            self.assertEqual(left, [])

    def test_a_live_photo_whose_files_are_given_together_is_one(self):
        with Studio() as studio:
            studio.enter()
            def give(path, group):
                query = urllib.parse.urlencode({"name": path.name, "group": group})
                return json.loads(studio.post(f"api/uploads?{query}", path.read_bytes(),
                                              Content_Type="application/octet-stream").body)
            movie = give(FOLDER / "pairs" / "beach.MOV", "a")
            photo = give(FOLDER / "pairs" / "beach.JPG", "a")
            self.assertEqual([movie["kind"], photo["kind"]], ["clip", "pair"])
            self.assertEqual([item["id"] for item in studio.items()], [photo["id"]])
            job = studio.job(studio.json(f"api/items/{photo['id']}/make", {"settings": {}, "flags": ["no-audio"]})["job"])
            self.assertEqual(job["state"], "done", job)
            # Other files of these names do not become parts of it.
            self.assertEqual(give(FOLDER / "pairs" / "beach.MOV", "b")["kind"], "clip")
            self.assertEqual(give(FOLDER / "pairs" / "beach.MOV", "a")["kind"], "clip")
            self.assertEqual(len(studio.items()), 3)


if __name__ == "__main__":
    unittest.main()
