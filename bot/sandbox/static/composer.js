/** The line at the bottom of a channel: plain text, or a command with its options. */

import { CommandBar } from "./commandbar.js";
import { leaves, matching, plain, typedLeaf, typedOptions } from "./commands.js";
import { h, icon } from "./dom.js";
import { ListBox } from "./floating.js";
import { called } from "./store.js";
import { word } from "./words.js";

/** @typedef {import("./commands.js").Leaf} Leaf */
/** @typedef {import("./commands.js").Entry} Entry */
/** @typedef {{leaf: Leaf, entries: Map<string, Entry>}} Sent a command as it was sent, to be called back */

/**
 * What the composer needs of its column.
 * @typedef {object} Desk
 * @property {import("./store.js").Store} store
 * @property {string} seat
 * @property {string} locale
 * @property {() => import("./commands.js").Looker} looker
 * @property {(text: string) => Promise<void>} say
 * @property {(leaf: Leaf, options: import("./commands.js").Given) => void} slash
 * @property {(leaf: Leaf, options: Record<string, string | number | boolean>, focused: string) => Promise<import("./commands.js").Choice[]>} autocomplete
 */

export class Composer {
  /** The last command this seat sent. @type {Sent | null} */
  last = null;
  /** @type {CommandBar | null} */
  bar = null;
  /** The bot's commands when they were last offered. @type {any[]} */
  known = [];

  /** @param {Desk} desk @param {string} place the channel's name */
  constructor(desk, place) {
    this.desk = desk;
    const { locale } = desk;
    this.list = new ListBox({
      label: word(locale, "commands"),
      testid: "command-list",
      draw: (/** @type {any} */ row) => row.draw(),
      choose: (row) => row.choose(),
    });
    this.list.element.tabIndex = 0; // what scrolls can be reached by keys
    this.popup = h("div", { class: "popup", hidden: true }, this.list.element);
    this.field = h("textarea", {
      rows: "1",
      class: "say",
      "data-testid": "composer",
      "aria-haspopup": "listbox",
      "aria-controls": this.list.element.id,
      "aria-autocomplete": "list",
      "aria-label": word(locale, "messageField", { name: place }),
      placeholder: word(locale, "messageField", { name: place }),
      maxlength: "2000",
      enterkeyhint: "send",
      autocomplete: "off",
      on: {
        input: () => this.typed(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        blur: () => this.hide(),
      },
    });
    this.list.onLight = () => this.announce();
    this.error = h("p", { class: "composer-error", role: "alert", "data-testid": "composer-error" });
    this.sendButton = h(
      "button",
      {
        type: "submit",
        class: "icon-button send",
        "aria-label": word(locale, "send"),
        // The focus stays in the field, so that its list is still open when the line is sent.
        on: { mousedown: (/** @type {Event} */ event) => event.preventDefault() },
      },
      icon("send"),
    );
    this.slot = h("div", { class: "slot" }, this.field);
    this.element = h(
      "form",
      {
        class: "composer",
        "data-testid": "composer-form",
        on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), this.send()) },
      },
      this.popup,
      this.error,
      h("div", { class: "composer-bar" }, this.slot, this.sendButton),
    );
  }

  /** @returns {Leaf[]} */
  get leaves() {
    return leaves(this.desk.store.commands, this.desk.looker());
  }

  focus() {
    if (this.bar) this.bar.focus();
    else this.field.focus();
  }

  /** Text typed or pasted: offers commands after a slash, people after an at sign. */
  typed() {
    this.fit();
    this.fail("");
    const text = this.field.value;
    if (text.startsWith("/") && !text.includes("\n")) {
      const typed = typedLeaf(this.leaves, text);
      if (typed) this.begin(typed.leaf, typed.rest);
      else this.offerCommands(text.slice(1));
      return;
    }
    const at = /(?:^|\s)@([\p{L}\p{N}_.-]*)$/u.exec(text.slice(0, this.field.selectionStart));
    if (at) this.offerPeople(at[1]);
    else this.hide();
  }

  /** Commands that come while one is typed count at once. */
  changed() {
    if (this.desk.store.commands !== this.known && !this.popup.hidden && this.field.value.startsWith("/"))
      this.typed();
  }

  /** @param {string} query */
  offerCommands(query) {
    this.known = this.desk.store.commands;
    const all = this.leaves;
    const rows = matching(all, query, (leaf) => [leaf.label, leaf.path, leaf.description]).map((leaf) => ({
      draw: () => [
        h(
          "span",
          { class: "row-text" },
          h("span", { class: "row-name" }, `/${leaf.label}`),
          h("span", { class: "row-hint" }, leaf.description),
        ),
        h("span", { class: "row-side" }, called(this.desk.store.bot)),
      ],
      choose: () => this.begin(leaf),
    }));
    this.show(rows, word(this.desk.locale, all.length ? "noCommands" : "notYet"));
  }

  /** @param {string} query */
  offerPeople(query) {
    const people = matching([...this.desk.store.users.values()], query, (user) => [
      called(user),
      user.username,
    ]);
    if (!people.length || (people.length === 1 && plain(called(people[0])) === plain(query))) {
      this.hide(); // nobody to offer, or already written out: Enter sends
      return;
    }
    this.show(
      people.map((user) => ({
        draw: () => [h("span", { class: "row-text" }, h("span", { class: "row-name" }, `@${called(user)}`))],
        choose: () => {
          const end = this.field.selectionStart;
          const start = end - query.length - 1;
          this.field.setRangeText(`@${called(user)} `, start, end, "end");
          this.hide();
        },
      })),
      "",
    );
  }

  /** @param {{draw: () => Node[], choose: () => void}[]} rows @param {string} nothing what to say when there are none */
  show(rows, nothing) {
    this.list.fill(rows, 0);
    if (!rows.length) this.list.element.append(h("p", { class: "hint none" }, nothing));
    this.popup.hidden = false;
    this.announce();
  }

  hide() {
    this.popup.hidden = true;
    this.announce();
  }

  announce() {
    const active = this.popup.hidden ? null : this.list.active;
    if (active) this.field.setAttribute("aria-activedescendant", active);
    else this.field.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const open = !this.popup.hidden;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (open && step) this.list.move(step);
    else if (open && (event.key === "Enter" || event.key === "Tab") && !event.shiftKey && this.list.pick())
      this.focus();
    else if (open && event.key === "Escape") this.hide();
    else if (event.key === "Tab") {
      this.hide(); // the focus goes on to what lies beside the list
      return;
    }
    else if (event.key === "Enter" && !event.shiftKey) this.send();
    else if (event.key === "ArrowUp" && !this.field.value && this.last)
      this.begin(this.last.leaf, "", this.last.entries);
    else return;
    event.preventDefault();
  }

  /** Turns the line into a command to be filled in. @param {Leaf} leaf @param {string} [rest] options already typed @param {Map<string, Entry>} [entries] */
  begin(leaf, rest = "", entries = new Map()) {
    this.hide();
    const typed = new Map(entries);
    const { found, stray } = typedOptions(leaf, rest);
    for (const [name, text] of found) typed.set(name, { text, picked: null });
    this.bar = new CommandBar(this.desk, leaf, typed, stray, {
      leave: (text) => this.leave(text),
      send: () => this.send(),
      fail: (text) => this.fail(text),
    });
    this.field.value = "";
    this.fit();
    this.slot.replaceChildren(this.bar.element);
    this.popup.after(this.bar.popup);
    this.fail("");
    this.bar.focus();
  }

  /** Back to plain text. @param {string} text */
  leave(text) {
    this.bar?.popup.remove();
    this.bar = null;
    this.slot.replaceChildren(this.field);
    this.field.value = text;
    this.fit();
    this.field.focus();
    this.fail("");
    if (text) this.typed();
  }

  /** The command of that name, from a message that mentions it. @param {string} path */
  offer(path) {
    const leaf = this.leaves.find((one) => one.path === path);
    if (leaf) this.begin(leaf);
    else this.leave(`/${path}`);
  }

  async send() {
    if (this.bar) {
      const options = this.bar.values();
      if (!options) return;
      const { leaf } = this.bar;
      this.last = { leaf, entries: this.bar.entries() };
      this.leave("");
      this.desk.slash(leaf, options);
      return;
    }
    const text = this.field.value.trim();
    if (!text) return;
    if (text.startsWith("/")) {
      const typed = typedLeaf(this.leaves, `${text} `);
      if (typed) this.begin(typed.leaf, typed.rest);
      else if (this.popup.hidden || !this.list.pick()) this.fail(word(this.desk.locale, "noCommands"));
      return;
    }
    this.field.value = "";
    this.fit();
    this.hide();
    try {
      await this.desk.say(this.named(text));
    } catch {
      this.field.value ||= text;
      this.fail(word(this.desk.locale, "genericError"));
    }
  }

  /** People written by their names become mentions. @param {string} text */
  named(text) {
    const people = [...this.desk.store.users.values()].sort((a, b) => called(b).length - called(a).length);
    return people.reduce((line, user) => line.replaceAll(`@${called(user)}`, `<@${user.id}>`), text);
  }

  /** @param {string} text */
  fail(text) {
    this.error.textContent = text;
  }

  fit() {
    this.field.style.height = "";
    this.field.style.height = `${Math.min(this.field.scrollHeight, 160)}px`;
  }
}
