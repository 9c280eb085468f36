// The requests to the server, and whether it still answers.

/** An answer that is an error: one sentence for people. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
  }
}

/** The server cannot be reached. */
export class LostError extends Error {
  constructor() {
    super("");
    this.name = "LostError";
  }
}

/**
 * Tells of `lost` when the server does not answer or no longer knows this page (`detail.denied`), and of `back` when it
 * answers again.
 */
export const connection = new EventTarget();
let isLost = false;

function note(lost, denied = false) {
  if (lost === isLost) return;
  isLost = lost;
  connection.dispatchEvent(new CustomEvent(lost ? "lost" : "back", { detail: { denied } }));
}

/** Milliseconds between attempts if the server is busy. */
const busyPauses = [300, 700, 1500];

async function request(path, options = {}) {
  for (let attempt = 0; ; attempt += 1) {
    let response;
    try {
      response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      note(true);
      throw new LostError();
    }
    if (response.ok) {
      note(false);
      return response;
    }
    const isBusy = response.status === 429 || response.status === 503;
    if (isBusy && attempt < busyPauses.length && !options.signal?.aborted) {
      await new Promise((done) => { setTimeout(done, busyPauses[attempt]); });
      continue;
    }
    throw await failure(response);
  }
}

async function failure(response) {
  const document = await response.json().catch(() => ({}));
  // Without a sentence, the request did not reach the API: the window belongs to a server that has ended.
  const isDenied = (response.status === 401 || response.status === 403) && !document.error;
  note(isDenied, isDenied);
  if (isDenied) return new LostError();
  return new ApiError(response.status, document.code ?? "", document.error ?? `HTTP ${response.status}`);
}

/** The JSON at an address. */
export async function get(path, signal) {
  return (await request(path, { signal })).json();
}

/** The bytes at an address. */
export async function getBytes(path, signal) {
  return (await request(path, { signal })).arrayBuffer();
}

function posted(body, signal) {
  return { method: "POST", body: JSON.stringify(body ?? {}), headers: { "Content-Type": "application/json" }, signal };
}

/** The JSON that answers a POST. */
export async function post(path, body, signal) {
  return (await request(path, posted(body, signal))).json();
}

/** The file that answers a POST. */
export async function postForBlob(path, body, signal) {
  return (await request(path, posted(body, signal))).blob();
}

/** Sends a file. Those of one `group` are beside each other. `fetch` does not report progress of uploads, so this uses the older interface. */
export function upload(file, name, group, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", `/api/uploads?name=${encodeURIComponent(name)}&group=${encodeURIComponent(group)}`);
    sending.responseType = "json";
    // A browser without a type for the file would send none.
    sending.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    sending.upload.addEventListener("progress",
      (event) => { if (event.total) onProgress(event.loaded / event.total); });
    sending.addEventListener("load", () => {
      const answer = sending.response ?? {};
      if (sending.status >= 200 && sending.status < 300) resolve(answer);
      else reject(new ApiError(sending.status, answer.code ?? "", answer.error ?? `HTTP ${sending.status}`));
    });
    sending.addEventListener("error", () => reject(new LostError()));
    sending.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    signal?.addEventListener("abort", () => sending.abort(), { once: true });
    sending.send(file);
  });
}

/** Whether a request was given up by the page itself. */
export const isAbort = (error) => error?.name === "AbortError";
