/** One seat's client: its channels, the messages of one of them, and the line to write in. */

import { encoded } from "./commands.js";
import { Composer } from "./composer.js";
import { avatar, h, icon } from "./dom.js";
import { Log } from "./log.js";
import { deniedNote, personMenu, placeMenu } from "./menus.js";
import { openModal } from "./modal.js";
import { drawSide } from "./side.js";
import { called, isDirect, isThread } from "./store.js";
import { LOCALES, word } from "./words.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./socket.js").Line} Line */

export class Column {
  /** @type {string} */
  channel = "";
  /** The last command sent in each channel's composer outlives the composer. @type {import("./composer.js").Sent | null} */
  last = null;
  /** Ends listening for a tap beside the open channels. @type {AbortController | null} */
  away = null;

  /** @param {{store: Store, line: Line}} page @param {string} seat @param {string} channel */
  constructor({ store, line }, seat, channel) {
    this.store = store;
    this.line = line;
    this.seat = seat;
    this.element = h("section", { class: "column", "data-testid": "column", "data-seat": seat });
    /** @type {import("./markdown.js").Context} */
    this.context = {
      seat,
      locale: this.locale,
      userName: (id) => (store.user(id) ? called(store.user(id)) : null),
      channelName: (id) => {
        const found = store.channels.get(id);
        return found ? store.title(found, seat) : null;
      },
      visit: (id, message) => this.visit(id, message),
      person: (id, anchor) => personMenu(this, id, anchor),
      command: (path) => this.composer?.offer(path),
    };
    this.render(channel);
  }

  get locale() {
    return this.store.locale(this.seat);
  }

  /** Where and as whom this seat looks for commands. @returns {import("./commands.js").Looker} */
  get looker() {
    return {
      locale: this.locale,
      direct: isDirect(this.place),
      permissions: this.store.user(this.seat)?.permissions,
    };
  }

  get name() {
    return called(this.store.user(this.seat));
  }

  get place() {
    return this.store.channels.get(this.channel);
  }

  /** The first channel the seat can enter, for want of a better one. */
  get home() {
    return this.store.places(this.seat).find((channel) => !isThread(channel))?.id ?? "";
  }

  /** Draws everything anew: at first, and in another language. @param {string} channel */
  render(channel) {
    const { locale } = this;
    this.context.locale = locale;
    this.element.lang = locale;
    this.element.setAttribute("aria-label", word(locale, "seat", { name: this.name }));
    this.title = h("h2", { class: "place", "data-testid": "place" });
    this.menu = h(
      "button",
      {
        type: "button",
        class: "icon-button drawer-button",
        "aria-label": word(locale, "openChannels"),
        "aria-expanded": "false",
        on: { click: () => this.drawer() },
      },
      icon("menu"),
    );
    this.more = h(
      "button",
      {
        type: "button",
        class: "icon-button more",
        "aria-haspopup": "menu",
        "data-testid": "place-more",
        on: { click: () => placeMenu(this, this.channel, /** @type {HTMLElement} */ (this.more)) },
      },
      icon("more"),
    );
    const language = h(
      "select",
      {
        class: "language",
        "aria-label": word(locale, "language"),
        on: { change: () => this.line.ask("set_locale", { seat: this.seat, locale: language.value }) },
      },
      Object.entries(LOCALES).map(([code, name]) =>
        h("option", { value: code, selected: code === locale, lang: code }, name),
      ),
    );
    this.side = h("nav", {
      class: "side",
      "aria-label": word(locale, "channels"),
      "data-testid": "channels",
    });
    this.pane = h("div", { class: "pane" });
    this.element.replaceChildren(
      h(
        "header",
        { class: "column-head" },
        this.menu,
        this.title,
        this.more,
        h("span", { class: "whose" }, avatar({ id: this.seat }, this.name), h("span", {}, this.name)),
        language,
      ),
      h("div", { class: "column-body" }, this.side, this.pane),
    );
    this.open(this.store.channels.has(channel) ? channel : this.home);
  }

  /** Goes to a channel. @param {string} channel @param {string} [message] a message to bring into view */
  open(channel, message) {
    this.channel = channel;
    this.last = this.composer?.last ?? this.last;
    this.log?.close();
    this.log = new Log(this, channel);
    this.composer = new Composer(
      {
        store: this.store,
        seat: this.seat,
        locale: this.locale,
        looker: () => this.looker,
        say: (text) => this.line.ask("say", { seat: this.seat, channel, text }),
        slash: (leaf, options) => this.slash(leaf, options),
        autocomplete: async (leaf, options, focused) =>
          (
            await this.line.ask("autocomplete", {
              seat: this.seat,
              channel,
              command: leaf.path,
              options,
              focused,
            })
          ).choices,
      },
      this.label,
    );
    this.composer.last = this.last;
    this.note = h("p", { class: "note hint" });
    this.pane.replaceChildren(this.log.element, this.note, this.composer.element);
    this.drawer(false);
    this.store.seen(this.seat, channel); // before the channels are drawn: a new column hears of no change yet
    this.changed();
    this.element.dispatchEvent(new CustomEvent("visited", { bubbles: true }));
    this.log.load(message);
  }

  get label() {
    const place = this.place;
    return place ? `${isDirect(place) ? "@" : "#"}${this.store.title(place, this.seat)}` : "";
  }

  /** @param {string} channel @param {string} [message] */
  visit(channel, message) {
    if (channel === this.channel && message) this.log?.find(message);
    else if (this.store.channels.has(channel)) this.open(channel, message);
  }

  /** Takes in what has changed around the messages. */
  changed() {
    const place = this.place;
    const kind = !place ? "hash" : isDirect(place) ? "mail" : isThread(place) ? "thread" : "hash";
    this.title?.replaceChildren(icon(kind), h("span", {}, place ? this.store.title(place, this.seat) : ""));
    if (this.more) {
      const name = word(this.locale, kind === "thread" ? "threadMenu" : "channelMenu");
      this.more.hidden = !place || isDirect(place);
      this.more.title = name;
      this.more.setAttribute("aria-label", name);
    }
    drawSide(this);
    const thread = place?.thread_metadata;
    const locked = Boolean(thread?.locked);
    if (this.note) {
      const key = !place ? "gone" : locked ? "lockedNote" : thread?.archived ? "archivedNote" : null;
      this.note.textContent = key ? word(this.locale, key) : deniedNote(this.locale, this.store.ruler(place));
    }
    if (!this.composer) return;
    this.composer.element.hidden = !place || locked;
    this.composer.changed();
  }

  /** Shows or hides the channels where there is no room for them. @param {boolean} [open] */
  drawer(open = !this.element.classList.contains("drawer-open")) {
    const was = this.element.classList.toggle("drawer-open", open) !== open;
    this.menu?.setAttribute("aria-expanded", String(open));
    this.away?.abort();
    if (open) this.closeFromOutside();
    if (open) this.side?.querySelector("button")?.focus();
    else if (was || this.side?.contains(document.activeElement)) this.menu?.focus();
  }

  /** Closes the channels by a tap beside them, which does nothing else, and by Escape. */
  closeFromOutside() {
    this.away = new AbortController();
    const { signal } = this.away;
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.drawer(false), { signal });
    document.addEventListener(
      "click",
      (event) => {
        const at = /** @type {Element} */ (event.target);
        if (this.side?.contains(at) || this.menu?.contains(at) || at.closest(".floating, dialog")) return;
        event.preventDefault();
        event.stopPropagation();
        this.drawer(false);
      },
      { signal, capture: true },
    );
  }

  /** @param {any} event */
  take(event) {
    const here = event.channel_id === this.channel && (!event.only || event.only === this.seat);
    if (here) this.log?.take(event);
    if (event.type === "channel_delete" && !this.place) this.open(this.home);
  }

  /** @param {import("./commands.js").Leaf} leaf @param {import("./commands.js").Given} options */
  async slash(leaf, options) {
    await this.run(`/${leaf.label}`, "slash", { command: leaf.path, options: await encoded(options) });
  }

  /** Sends a command; until the bot answers, and if it does not, a line of the log says so. @param {string} shown @param {string} op @param {Record<string, unknown>} body */
  async run(shown, op, body) {
    const { channel, log } = this;
    const pending = log?.pending(shown);
    try {
      const done = await this.line.ask(op, { seat: this.seat, channel, ...body });
      pending?.done();
      this.form(done);
    } catch (error) {
      pending?.fail(this.complaint(error, "noAnswer"));
    }
  }

  /** @param {any} done a finished interaction: if the bot asked for a form, shows it */
  form(done) {
    if (!done.modal) return;
    openModal(done.modal, {
      context: this.context,
      store: this.store,
      title: called(this.store.bot),
      send: async (values) =>
        this.form(
          await this.line.ask("submit", { seat: this.seat, interaction: done.interaction_id, values }),
        ),
    });
  }

  /** Opens the direct messages with a person or the bot. @param {string} target */
  async direct(target) {
    const { channel } = await this.line.ask("direct", { seat: this.seat, target });
    this.store.channels.set(channel.id, channel);
    this.open(channel.id);
  }

  /** What to tell of a request that came to nothing. @param {any} error @param {string} unanswered */
  complaint(error, unanswered) {
    if (error.code === "timeout" || error.code === "failed") return word(this.locale, unanswered);
    if (error.code === "lost") return word(this.locale, "genericError");
    return word(this.locale, "refused", { text: error.message });
  }
}
