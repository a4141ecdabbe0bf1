/** The messages of one channel before one seat's eyes. */

import { day } from "./dates.js";
import { h } from "./dom.js";
import { drawMessage, EPHEMERAL } from "./message.js";
import { older } from "./store.js";
import { welcomeCard } from "./welcome.js";
import { word } from "./words.js";

const CLOSE = 7 * 60_000; // messages of one person that follow within this stand under one name
const NEAR = 80; // pixels from the bottom that still count as reading the newest
const SEARCHED = 10; // pages of history looked through for a linked message
const EPOCH = 1_420_070_400_000n;
const TYPING = 8_000;
const HELD = 200; // messages kept when many have come; older ones are fetched when asked for

/** Private messages put away, as in the real thing only in this window. */
const dismissed = new Set();

export class Log {
  /** @type {Map<string, any>} */ messages = new Map();
  /** Ids, oldest first. @type {string[]} */ order = [];
  /** @type {Map<string, HTMLElement>} */ drawn = new Map();
  /** @type {Map<string, string>} */ busy = new Map();
  /** @type {Map<string, string>} */ failures = new Map();
  /** Whether the newest message is being read, and stays in view as more come. */
  pinned = true;
  /** Where the scroller was last put. */
  top = 0;
  closed = false;

  /** @param {import("./column.js").Column} column @param {string} channel */
  constructor(column, channel) {
    this.column = column;
    this.channel = channel;
    const { locale } = column;
    const name = column.label;
    this.list = h("ol", { class: "messages", "data-testid": "messages" });
    this.older = h(
      "button",
      { type: "button", class: "button secondary older", hidden: true, on: { click: () => this.more() } },
      word(locale, "older"),
    );
    this.empty = h("p", { class: "empty hint", hidden: true }, word(locale, "empty"));
    const greets = column.store.welcome && column.store.seats.length > 1 && channel === column.home;
    this.welcome = greets ? welcomeCard(column, column.store.welcome) : null;
    if (this.welcome) this.welcome.hidden = true;
    // What arrives is told by `news`, once and in few words; a log would tell of every redrawing.
    this.scroller = h(
      "div",
      {
        class: "scroller",
        tabindex: "0",
        role: "log",
        "aria-live": "off",
        "aria-label": word(locale, "messages", { name }),
        on: { scroll: () => this.scrolled() },
      },
      this.older,
      this.welcome,
      this.empty,
      this.list,
    );
    this.newer = h(
      "button",
      { type: "button", class: "newer", hidden: true, on: { click: () => this.bottom() } },
      word(locale, "newMessages"),
    );
    this.typing = h("p", { class: "typing hint", "aria-live": "off" });
    this.news = h("p", { class: "hidden", role: "status", "aria-live": "polite", "data-testid": "news" });
    this.element = h(
      "div",
      { class: "log", "aria-busy": "true" },
      this.scroller,
      this.newer,
      this.typing,
      this.news,
    );
    // Pictures that arrive late must not push the newest message out of sight.
    this.observer = new ResizeObserver(() => this.pinned && this.bottom());
    this.observer.observe(this.list);
    this.observer.observe(this.scroller);
  }

  close() {
    this.closed = true;
    this.observer.disconnect();
    clearTimeout(this.typingTimer);
  }

  /** Fetches the newest messages, again after the connection was lost. @param {string} [message] one to bring into view */
  async load(message) {
    const page = await this.fetch();
    if (!page) return;
    const stay = this.hold();
    // While the answer was on its way newer ones may have come; older ones that are gone must go.
    const oldest = page.messages[0]?.id;
    if (!oldest || !this.order.length || older(this.order[0], oldest) >= 0) this.older.hidden = !page.more;
    const known = new Set(page.messages.map((/** @type {any} */ one) => one.id));
    for (const id of [...this.order]) {
      if (
        !known.has(id) &&
        !this.messages.get(id).local &&
        this.loaded &&
        (!oldest || older(id, oldest) >= 0)
      )
        this.remove(id);
    }
    this.loaded = true;
    for (const one of page.messages) this.put(one);
    this.element.setAttribute("aria-busy", "false");
    this.showEmpty();
    if (message) await this.find(message);
    else stay();
  }

  /** Notes where the messages in view stand. @returns {() => void} brings the first of them that is still there back to its place */
  hold() {
    this.notice();
    const top = () => this.scroller.getBoundingClientRect().top;
    const edge = top();
    const seen = this.order
      .map((id) => ({ id, box: /** @type {HTMLElement} */ (this.drawn.get(id)).getBoundingClientRect() }))
      .filter(({ box }) => box.bottom > edge);
    return () => {
      if (this.pinned) this.bottom();
      const first = !this.pinned && seen.find(({ id }) => this.drawn.has(id));
      if (!first) return;
      const now = /** @type {HTMLElement} */ (this.drawn.get(first.id)).getBoundingClientRect().top - top();
      this.scroller.scrollTop += now - (first.box.top - edge);
    };
  }

  /** @param {string} [before] */
  async fetch(before) {
    try {
      const page = await this.column.line.ask("history", {
        seat: this.column.seat,
        channel: this.channel,
        since: this.column.store.since,
        ...(before ? { before } : {}),
      });
      return this.closed ? null : page;
    } catch {
      return null; // the connection is lost: it is loaded anew when it is back
    }
  }

  async more() {
    const height = this.scroller.scrollHeight;
    const page = await this.fetch(this.order.find((id) => !this.messages.get(id).local));
    if (!page) return;
    this.older.hidden = !page.more;
    this.pinned = false;
    for (const one of page.messages) this.put(one);
    this.showEmpty();
    this.scroller.scrollTop += this.scroller.scrollHeight - height;
  }

  /** Brings a message into view and to the eye, loading older ones if need be. @param {string} id */
  async find(id) {
    for (let page = 0; page < SEARCHED && !this.messages.has(id) && !this.older.hidden; page += 1)
      await this.more();
    const element = this.drawn.get(id);
    if (!element) return;
    this.pinned = false;
    element.scrollIntoView({ block: "center" });
    element.focus({ preventScroll: true });
    element.classList.add("found");
    setTimeout(() => element.classList.remove("found"), 2000);
  }

  /** @param {any} event */
  take(event) {
    this.notice();
    if (event.type === "message_create" || event.type === "message_update") {
      const fresh = !this.messages.has(event.message.id);
      if (fresh && event.type === "message_update" && !this.expects(event)) return;
      this.put(event.message);
      this.trim();
      this.typed(false);
      if (fresh && !this.pinned && event.type === "message_create") this.newer.hidden = false;
      if (fresh && event.message.author?.id === this.column.seat) this.bottom();
      else if (fresh) this.tell(event.message.id);
    } else if (event.type === "message_delete") {
      this.remove(event.message?.id ?? event.message_id);
    } else if (event.type === "typing") {
      this.typed(true);
    }
    this.showEmpty();
  }

  /** Lets go of the oldest messages while nobody looks at them. */
  trim() {
    if (!this.pinned || this.order.length <= HELD) return;
    for (const id of this.order.slice(0, this.order.length - HELD / 2)) this.remove(id);
    this.older.hidden = false;
    this.showEmpty();
  }

  /** Says a new message to who cannot see it: its author, words and pictures. @param {string} id */
  tell(id) {
    const element = this.drawn.get(id);
    const parts = element?.querySelectorAll(
      ".content .text, .content .embed-title, .content img, .content .thinking",
    );
    const words = [...(parts ?? [])].map((part) =>
      part instanceof HTMLImageElement ? part.alt : part.textContent,
    );
    this.news.textContent = `${element?.dataset.author}: ${words.join(". ")}`;
  }

  /** An update of a message not shown matters only if it belongs among those that are. @param {any} event */
  expects(event) {
    return this.older.hidden || (this.order.length > 0 && older(event.message.id, this.order[0]) > 0);
  }

  /** @param {boolean} on */
  typed(on) {
    clearTimeout(this.typingTimer);
    this.typing.textContent = on
      ? word(this.column.locale, "typing", {
          name: this.column.store.bot.global_name || this.column.store.bot.username,
        })
      : "";
    if (on) this.typingTimer = setTimeout(() => this.typed(false), TYPING);
  }

  showEmpty() {
    if (this.welcome) this.welcome.hidden = !this.older.hidden || !this.loaded;
    this.empty.hidden = this.order.length > 0 || !this.loaded || this.welcome !== null;
  }

  /** Adds a message or draws it anew. @param {any} message */
  put(message) {
    const known = this.messages.get(message.id);
    const { since } = this.column.store;
    if ((message.flags ?? 0) & EPHEMERAL && since && older(message.id, since) < 0) return;
    if (dismissed.has(message.id) || (known && JSON.stringify(known) === JSON.stringify(message))) return;
    if (!known) {
      let at = this.order.length;
      while (at > 0 && older(this.order[at - 1], message.id) > 0) at -= 1;
      this.order.splice(at, 0, message.id);
    }
    this.messages.set(message.id, message);
    this.draw(message.id);
    this.drawNext(message.id);
  }

  /** @param {string} id */
  remove(id) {
    const at = this.order.indexOf(id);
    if (at < 0) return;
    this.order.splice(at, 1);
    this.messages.delete(id);
    const element = this.drawn.get(id);
    if (element?.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
    element?.remove();
    this.drawn.delete(id);
    if (this.order[at]) this.drawNext(this.order[at - 1] ?? "");
    this.showEmpty();
  }

  /** The message after this one may begin or cease to stand under its name. @param {string} id */
  drawNext(id) {
    const next = this.order[this.order.indexOf(id) + 1];
    const drawn = next && this.drawn.get(next);
    if (drawn && drawn.dataset.after !== this.after(next).shape) this.draw(next);
  }

  /** How a message stands to the one before it. @param {string} id */
  after(id) {
    const message = this.messages.get(id);
    const before = this.messages.get(this.order[this.order.indexOf(id) - 1]);
    const grouped = Boolean(before && follows(before, message));
    const newDay = Boolean(
      before && new Date(before.timestamp).toDateString() !== new Date(message.timestamp).toDateString(),
    );
    return { grouped, newDay, shape: `${grouped} ${newDay}` };
  }

  /** @param {string} id */
  draw(id) {
    const message = this.messages.get(id);
    const { column } = this;
    const { grouped, newDay, shape } = this.after(id);
    const scene = {
      context: column.context,
      store: column.store,
      busy: this.busy.get(id) ?? null,
      failure: this.failures.get(id) ?? message.failure ?? null,
      grouped,
      loaded: (/** @type {string} */ other) => this.messages.get(other),
      press: (/** @type {string} */ custom) => this.act(id, custom, "press", {}),
      choose: (/** @type {string} */ custom, /** @type {string[]} */ values) =>
        this.act(id, custom, "choose", { values }),
      dismiss: () => this.dismiss(id),
    };
    const element = drawMessage(message, scene);
    element.dataset.after = shape;
    if (newDay) element.dataset.day = day(message.timestamp, column.locale);
    const old = this.drawn.get(id);
    const focused = old?.contains(document.activeElement)
      ? (/** @type {HTMLElement} */ (document.activeElement).dataset.customId ?? "")
      : null;
    this.drawn.set(id, element);
    if (old) old.replaceWith(element);
    else this.list.insertBefore(element, this.drawn.get(this.order[this.order.indexOf(id) + 1]) ?? null);
    if (focused !== null) {
      /** @type {HTMLElement | null} */
      const again = element.querySelector(`[data-custom-id="${CSS.escape(focused)}"]:enabled`);
      (again ?? element).focus({ preventScroll: true });
    }
    if (this.pinned) this.bottom();
  }

  /** Presses a button or chooses from a select. @param {string} id @param {string} custom @param {string} op @param {Record<string, unknown>} body */
  async act(id, custom, op, body) {
    const { column } = this;
    this.busy.set(id, custom);
    this.failures.delete(id);
    this.draw(id);
    try {
      column.form(await column.line.ask(op, { seat: column.seat, message: id, custom_id: custom, ...body }));
    } catch (error) {
      this.failures.set(id, column.complaint(error, "failed"));
    }
    this.busy.delete(id);
    if (this.messages.has(id) && !this.closed) this.draw(id);
  }

  /** @param {string} id */
  dismiss(id) {
    const message = this.messages.get(id);
    if (!message.local) {
      dismissed.add(id);
    }
    this.remove(id);
    this.column.composer?.focus();
  }

  /** A line for a command under way. @param {string} shown */
  pending(shown) {
    const { column } = this;
    const id = String((BigInt(Date.now()) - EPOCH) << 22n);
    const user = column.store.user(column.seat);
    const message = {
      id,
      local: true,
      sending: true,
      type: shown.startsWith("/") ? 20 : 23,
      author: column.store.bot,
      timestamp: new Date().toISOString(),
      flags: EPHEMERAL,
      content: `-# ${word(column.locale, "sending")}`,
      interaction: { name: shown.replace(/^\//u, ""), type: 2, user },
    };
    this.put(message);
    this.bottom();
    return {
      done: () => this.remove(id),
      fail: (/** @type {string} */ failure) =>
        this.messages.has(id) && this.put({ ...message, sending: false, content: "", failure }),
    };
  }

  /** Scrolling of which the browser has not told yet: it does so a moment late. */
  notice() {
    if (this.scroller.scrollTop < this.top - 1) this.scrolled();
  }

  scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    this.pinned = scrollHeight - scrollTop - clientHeight < NEAR;
    if (this.pinned) this.newer.hidden = true;
  }

  bottom() {
    this.pinned = true;
    this.newer.hidden = true;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.top = this.scroller.scrollTop;
  }
}

/** Whether a message stands under the name of the one before. @param {any} before @param {any} message */
function follows(before, message) {
  const plain = (/** @type {any} */ one) => [0, 19, 20, 23].includes(one.type ?? 0);
  return (
    before.author?.id === message.author?.id &&
    plain(before) &&
    plain(message) &&
    ((before.flags ?? 0) & EPHEMERAL) === ((message.flags ?? 0) & EPHEMERAL) &&
    new Date(message.timestamp).getTime() - new Date(before.timestamp).getTime() < CLOSE &&
    new Date(before.timestamp).toDateString() === new Date(message.timestamp).toDateString()
  );
}
