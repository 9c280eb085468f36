// Plays a part of the clip from its frames, at their own times, with the clip's sound.

/** Seconds by which picture and sound may differ before the picture follows. */
const drift = 0.06;
/** Seconds from which on the sound follows, as it began late. */
const late = 0.25;
/** Frames that are decoded ahead. */
const ahead = 6;

/** One part plays at a time. */
export class Playback {
  #frames;
  #audio = null;
  #request = 0;
  #part = null;

  /**
   * @param {import("./frames.js").FrameStore} frames
   * @param {string|null} sound its address, if the clip has any.
   */
  constructor(frames, sound) {
    this.#frames = frames;
    if (!sound) return;
    this.#audio = new Audio();
    this.#audio.preload = "none";
    this.#audio.src = sound;
  }

  get isPlaying() { return this.#part !== null; }

  /** Loads the sound, as somebody may play soon. */
  prepare() { if (this.#audio?.preload === "none") this.#audio.preload = "auto"; }

  /**
   * @param {object} part
   * @param {number} part.start, part.end in seconds.
   * @param {boolean} part.isLoop whether it begins again at its end.
   * @param {boolean} part.isSilent
   * @param {boolean} part.isBounce whether it plays back after it has played forward.
   * @param {number} part.speed
   * @param {(seconds: number) => void} part.onFrame called for each frame that is to be shown.
   * @param {() => void} part.onEnd called after the last one; not after `stop()`.
   */
  play(part) {
    this.stop();
    const seconds = Math.max(part.end - part.start, 0.01);
    this.#part = { ...part, seconds, began: performance.now() };
    this.#startSound();
    this.#request = requestAnimationFrame(() => this.#tick());
  }

  stop() {
    if (!this.#part) return;
    this.#part = null;
    cancelAnimationFrame(this.#request);
    this.#audio?.pause();
  }

  close() {
    this.stop();
    if (!this.#audio) return;
    this.#audio.removeAttribute("src");
    this.#audio.load();
    this.#audio = null;
  }

  #startSound() {
    const audio = this.#audio;
    const { start, speed, isSilent, isBounce } = this.#part;
    if (!audio || isSilent || isBounce) return;
    audio.playbackRate = speed;
    audio.currentTime = start;
    // A browser that allows no sound, or cannot play it, shows the frames alone.
    audio.play().catch(() => {});
  }

  #tick() {
    const part = this.#part;
    if (!part) return;
    let passed = ((performance.now() - part.began) / 1000) * part.speed;
    const audio = this.#audio;
    if (audio && !audio.paused && !audio.seeking && !part.isSilent && !part.isBounce && audio.readyState > 2) {
      const heard = audio.currentTime - part.start;
      const difference = Math.abs(heard - passed);
      if (difference > late) audio.currentTime = part.start + passed;
      else if (heard > 0 && difference > drift && heard < part.seconds) {
        part.began = performance.now() - (heard / part.speed) * 1000;
        passed = heard;
      }
    }
    const length = part.seconds * (part.isBounce ? 2 : 1);
    if (passed >= length) {
      if (!part.isLoop) {
        this.stop();
        part.onEnd();
        return;
      }
      part.began = performance.now();
      passed = 0;
      this.#startSound();
    }
    const place = passed > part.seconds ? length - passed : passed;
    this.#show(part.start + place, part);
    this.#request = requestAnimationFrame(() => this.#tick());
  }

  #show(seconds, part) {
    const found = this.#frames.at(seconds);
    if (found && found.frame !== part.shown) {
      part.shown = found.frame;
      part.onFrame(seconds);
      if (found.isExact) this.#decodeAhead(seconds);
    }
    this.#frames.want(seconds, [part.start, Math.min(seconds + 2, part.end)]);
  }

  #decodeAhead(seconds) {
    for (let count = 1; count <= ahead; count += 1) {
      const next = this.#frames.step(seconds, count);
      if (next) this.#frames.bitmap(next).catch(() => {});
    }
  }
}
