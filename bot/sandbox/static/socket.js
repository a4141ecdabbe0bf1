/** The line to the server: numbered requests, events, and coming back by itself when it breaks. */

/** A request that came to nothing; `code` is the server's, or `lost` when the line broke. */
class RequestError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** Fires `open`, `lost`, and `event` (a CustomEvent with the world's event as its detail). */
export class Line extends EventTarget {
  constructor(url = `ws://${location.host}/page/ws`) {
    super();
    this.url = url;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.number = 0;
    this.wait = FIRST_WAIT;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.dispatchEvent(new Event("open"));
    });
    socket.addEventListener("message", ({ data }) => this.receive(JSON.parse(data)));
    socket.addEventListener("close", () => {
      for (const { reject } of this.waiting.values()) reject(new RequestError("lost", "connection lost"));
      this.waiting.clear();
      this.dispatchEvent(new Event("lost"));
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT);
    });
  }

  /** @param {any} frame */
  receive(frame) {
    if (frame.event) {
      this.dispatchEvent(new CustomEvent("event", { detail: frame.event }));
      return;
    }
    const waiter = this.waiting.get(frame.id);
    this.waiting.delete(frame.id);
    if (!waiter) return;
    if (frame.error) waiter.reject(new RequestError(frame.error.code, frame.error.message));
    else waiter.resolve(frame.ok);
  }

  /**
   * Asks the server; rejects with a RequestError.
   * @param {string} op
   * @param {Record<string, unknown>} [body]
   * @returns {Promise<any>}
   */
  ask(op, body = {}) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new RequestError("lost", "not connected"));
        return;
      }
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, op, ...body }));
    });
  }
}
