// Reads packs of frames: a header in JSON, and JPEGs one after another.

/**
 * @typedef {object} Frame
 * @property {number} seconds presentation time in the clip.
 * @property {string} still the text for `--still` that selects this frame.
 * @property {Blob} blob its JPEG.
 */

/**
 * @param {ArrayBuffer} buffer
 * @returns {{frames: Frame[], width: number, height: number, to: number|null, bytes: number}}
 */
export function readPack(buffer) {
  const length = new DataView(buffer).getUint32(0);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let place = 4 + length;
  const frames = header.frames.map(({ seconds, still, bytes }) => {
    const blob = new Blob([new Uint8Array(buffer, place, bytes)], { type: "image/jpeg" });
    place += bytes;
    return { seconds, still, blob };
  });
  return { frames, width: header.width, height: header.height, to: header.to ?? null, bytes: place };
}
