// <live-photo>: shows a Live Photo on a web page and plays it as Apple's Photos does. Part of livephoto, MIT licence.
// Documentation/Player.md describes it. A page imports this module, which needs no other file, and contains
// <live-photo photo="beach.JPG" movie="beach.MOV" still="1.5" alt="A wave"></live-photo>.

const style = new CSSStyleSheet();
style.replaceSync(`
  :host { display: block; position: relative; contain: content; background: #8882; border-radius: .5rem;
    -webkit-touch-callout: none; user-select: none; -webkit-user-select: none; }
  :host([hidden]) { display: none; }
  #stage { position: relative; display: grid; width: 100%; height: 100%; min-height: 2.75rem; overflow: hidden;
    border-radius: inherit; touch-action: manipulation; cursor: pointer; -webkit-tap-highlight-color: transparent;
    outline: none; }
  #stage:focus-visible::after { content: ""; position: absolute; inset: 0; border-radius: inherit;
    border: 3px solid Highlight; box-shadow: inset 0 0 0 2px Canvas; pointer-events: none; }
  #photo, ::slotted(img) { grid-area: 1 / 1; display: block; width: 100%; height: 100%; object-fit: contain;
    pointer-events: none; }
  #photo:not([src]) { visibility: hidden; }
  #movie { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: var(--live-photo-fit, cover);
    opacity: 0; pointer-events: none;
    transition: opacity var(--live-photo-fade, .25s) ease-in-out; }
  #stage.shown #movie { opacity: 1; }
  #badge, #sound { position: absolute; display: flex; align-items: center; gap: .3em; border: 0; padding: .3em .55em;
    border-radius: 1em; background: #000a; color: #fff; font: 600 .75rem/1.2 system-ui, sans-serif; cursor: pointer; }
  #badge { top: .6rem; left: .6rem; letter-spacing: .04em; transition: opacity var(--live-photo-fade, .25s); }
  #stage.shown ~ #badge { opacity: .45; }
  #sound { bottom: .6rem; right: .6rem; padding: .45em; opacity: .75; }
  #sound:hover, #sound:focus-visible { opacity: 1; }
  #sound:focus-visible { outline: 3px solid Highlight; outline-offset: 1px; }
  #sound[aria-pressed="true"] .off, #sound[aria-pressed="false"] .on { display: none; }
  svg { width: 1.25em; height: 1.25em; fill: none; stroke: currentColor; stroke-width: 1.6; display: block; }
  #status { position: absolute; inset: auto 0 0; margin: 0; padding: .5em .8em; background: #000c; color: #fff;
    font: .8rem/1.35 system-ui, sans-serif; border-radius: 0 0 inherit inherit; pointer-events: none; }
  #status:empty, :host(:not([movie])) #badge, :host(:not([movie])) #sound, :host([silent]) #sound { display: none; }
  @media (pointer: coarse) { #sound { padding: .7em; } }
  @media (prefers-reduced-motion: reduce) { #movie, #badge { transition: none; } }
  @media print { #badge, #sound, #status { display: none; } }
`);

const template = document.createElement("template");
template.innerHTML = `
  <div id="stage" part="stage" role="button" tabindex="0" aria-pressed="false">
    <slot name="photo"><img id="photo" part="photo" alt="" decoding="async" draggable="false"></slot>
  </div>
  <button id="badge" part="badge" type="button" tabindex="-1" aria-hidden="true">
    <svg viewBox="0 0 20 20"><circle cx="10" cy="10" r="2.2" fill="currentColor"/><circle cx="10" cy="10" r="5.2"/>
      <circle cx="10" cy="10" r="8.4" stroke-dasharray="1.3 1.9"/></svg><span></span></button>
  <button id="sound" part="sound" type="button" aria-pressed="false">
    <svg viewBox="0 0 20 20"><path d="M3 7.5v5h3l4.5 4v-13L6 7.5z" fill="currentColor"/>
      <path class="on" d="M13 7q2.4 3 0 6M15.500 4.500q4.500 5.500 0 11"/><path class="off" d="M13.500 7.500l5 5m0-5l-5 5"/>
    </svg></button>
  <p id="status" part="status" role="status"></p>`;

/** Waits until a playing movie shows a picture. */
function nextFrame(movie) {
  return new Promise((resolve) => {
    // A movie without a picture that can be decoded never shows one.
    const timer = setTimeout(resolve, 1000);
    const done = () => { clearTimeout(timer); resolve(); };
    if (movie.requestVideoFrameCallback) movie.requestVideoFrameCallback(done);
    else movie.addEventListener("timeupdate", done, { once: true });
  });
}

/** Decodes Base64. */
function bytes(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const result = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) result[index] = binary.charCodeAt(index);
  return result;
}
