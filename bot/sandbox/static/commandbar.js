/** A command being filled in: its name, its options as pills with fields of their own, and the list under the field. */

import { fitting, matching, meant, plain, TYPE, valueOf } from "./commands.js";
import { cross, h, uid } from "./dom.js";
import { fileField, textField } from "./fields.js";
import { ListBox } from "./floating.js";
import { called } from "./store.js";
import { word } from "./words.js";

/** @typedef {import("./commands.js").Leaf} Leaf */
/** @typedef {import("./commands.js").Option} Option */
/** @typedef {import("./commands.js").Choice} Choice */
/** @typedef {import("./commands.js").Entry} Entry */
/** @typedef {{option: Option, entry: Entry, field: HTMLInputElement, element: HTMLElement}} Pill */

const DEBOUNCE = 200;

export class CommandBar {
  /** @type {Pill[]} */
  pills = [];
  /** Counts the bot's suggestions asked for, so that late ones are dropped. */
  asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {import("./composer.js").Desk} desk @param {Leaf} leaf @param {Map<string, Entry>} entries @param {string} rest text of no option
   * @param {{leave: (text: string) => void, send: () => void, fail: (text: string) => void}} on
   */
  constructor(desk, leaf, entries, rest, on) {
    this.desk = desk;
    this.leaf = leaf;
    this.on = on;
    const { locale } = desk;
    this.list = new ListBox({
      label: word(locale, "allOptions"),
      testid: "option-list",
      draw: (/** @type {any} */ row) => row.draw(),
      choose: (row) => row.choose(),
    });
    this.list.onLight = () => this.announce();
    this.about = h("p", { class: "popup-about" });
    this.popup = h("div", { class: "popup", hidden: true }, this.about, this.list.element);
    this.rest = textField(word(locale, "moreOptionsName"), "rest", this.list, () => this.hide());
    this.rest.dataset.testid = "more-options";
    this.rest.value = rest;
    this.rest.addEventListener("input", () => {
      this.settled(this.rest);
      this.offerRest();
    });
    this.rest.addEventListener("focus", () => this.offerRest());
    this.rest.addEventListener("keydown", (event) => this.key(event, null));
    this.element = h(
      "div",
      {
        class: "command-bar",
        role: "group",
        "aria-label": `/${leaf.label}`,
        "data-testid": "command-bar",
        "data-command": leaf.path,
      },
      h("span", { class: "command-name" }, `/${leaf.label}`),
      this.rest,
      cross(word(locale, "leaveCommand"), () => on.leave(""), "icon-button quiet"),
    );
    for (const option of leaf.options) {
      const entry = entries.get(option.name);
      if (entry || option.required) this.add(option, entry);
    }
    this.label();
  }

  /** @param {Option} option @param {Entry} [entry] */
  add(option, entry = { text: "", picked: null }) {
    const isFile = option.type === TYPE.file;
    const field = isFile
      ? fileField(option.label, entry.file, () => this.hide())
      : textField(option.label, "pill-field", this.list, () => this.hide());
    field.dataset.option = option.name;
    if (option.type === TYPE.integer) field.inputMode = "numeric";
    if (option.type === TYPE.number) field.inputMode = "decimal";
    const name = h("label", { for: (field.id = uid("option")) }, option.label);
    const remove =
      !option.required &&
      h(
        "button",
        {
          type: "button",
          tabindex: "-1",
          class: "pill-remove",
          "aria-label": word(this.desk.locale, "removeOption", { name: option.label }),
          on: { click: () => this.remove(pill) },
        },
        "×",
      );
    const element = h(
      "span",
      { class: "pill", "data-testid": "pill", "data-option": option.name },
      name,
      field,
      remove,
    );
    /** @type {Pill} */
    const pill = { option, entry, field, element };
    if (!isFile) {
      field.value = entry.text;
      this.fit(field);
    }
    field.addEventListener("input", () => {
      pill.entry = isFile
        ? { text: "", picked: null, file: field.files?.[0] }
        : { text: field.value, picked: null };
      this.settled(field);
      if (!isFile) this.fit(field);
      this.offer(pill, DEBOUNCE);
    });
    field.addEventListener("focus", () => this.offer(pill, 0));
    field.addEventListener("keydown", (event) => this.key(event, pill));
    this.pills.push(pill);
    this.rest.before(element);
    this.label();
    return pill;
  }

  /** @param {Pill} pill */
  remove(pill) {
    const at = this.pills.indexOf(pill);
    this.pills.splice(at, 1);
    pill.element.remove();
    this.label();
    (this.pills[at - 1]?.field ?? this.rest).focus();
  }

  /** @param {HTMLInputElement} field */
  fit(field) {
    field.size = Math.max(3, Math.min(40, [...field.value].length + 1));
  }

  get unused() {
    return this.leaf.options.filter((option) => !this.pills.some((pill) => pill.option === option));
  }

  label() {
    const left = this.unused.length;
    this.rest.placeholder = left ? word(this.desk.locale, "moreOptions", { n: left }) : "";
    this.rest.size = Math.max(2, this.rest.placeholder.length + 1);
  }

  focus() {
    const empty = this.pills.find((pill) => !pill.entry.text && !pill.entry.file && pill.option.required);
    (empty?.field ?? this.rest).focus();
  }

  /** What can be said of an option without the bot. @param {Option} option @returns {Choice[]} */
  known(option) {
    const { store, seat, locale } = this.desk;
    if (option.type === TYPE.user || option.type === TYPE.mentionable) {
      const people = [...store.users.values()];
      if (!store.users.has(store.bot.id)) people.push(store.bot);
      return people.map((user) => ({ name: called(user), value: user.id }));
    }
    if (option.type === TYPE.channel)
      return store.places(seat).map((channel) => ({ name: channel.name ?? "", value: channel.id }));
    if (option.type === TYPE.boolean)
      return [
        { name: word(locale, "yes"), value: "true" },
        { name: word(locale, "no"), value: "false" },
      ];
    return option.choices;
  }

  /** Shows what the option can take; the bot is asked after `wait` ms. @param {Pill} pill @param {number} wait */
  offer(pill, wait) {
    const { option, entry } = pill;
    clearTimeout(this.timer);
    this.asked += 1;
    if (!option.autocomplete) {
      const query = entry.picked ? "" : entry.text.replace(/^[@#]/u, "");
      const found = matching(this.known(option), query, (choice) => [choice.name, String(choice.value)]);
      this.show(pill, found, this.known(option).length && !found.length ? "noMatch" : "");
      return;
    }
    const number = this.asked;
    this.show(pill, [], "loading");
    this.timer = setTimeout(async () => {
      let found = /** @type {Choice[] | null} */ (null);
      try {
        found = await this.desk.autocomplete(this.leaf, this.partial(pill), option.name);
      } catch {
        // Said in the list: the person may still send what is typed.
      }
      if (number !== this.asked || document.activeElement !== pill.field) return;
      this.show(pill, found ?? [], found ? "noMatch" : "genericError");
    }, wait);
  }

  /** The options as they stand, for the bot's suggestions. @param {Pill} focused */
  partial(focused) {
    /** @type {Record<string, string | number | boolean>} */
    const options = {};
    for (const pill of this.pills) {
      const { value } = valueOf(pill.option, pill.entry, this.known(pill.option));
      if (pill === focused)
        options[pill.option.name] = pill.entry.picked ? String(pill.entry.picked.name) : pill.entry.text;
      else if (value !== undefined && !(value instanceof File)) options[pill.option.name] = value;
    }
    return options;
  }

  /** @param {Pill} pill @param {Choice[]} found @param {string} nothing */
  show(pill, found, nothing) {
    const { option, field } = pill;
    const at = pill.entry.picked ? found.findIndex((choice) => choice.value === pill.entry.picked?.value) : 0;
    this.list.fill(
      found.map((choice) => ({
        draw: () => [h("span", { class: "row-text" }, h("span", { class: "row-name" }, choice.name))],
        choose: () => this.pick(pill, choice),
      })),
      at,
    );
    if (!found.length && nothing)
      this.list.element.append(h("p", { class: "hint none" }, word(this.desk.locale, nothing)));
    this.about.replaceChildren(
      h("strong", {}, option.label),
      " ",
      option.description,
      option.required ? "" : h("span", { class: "hint" }, ` · ${word(this.desk.locale, "optionalOption")}`),
    );
    this.open(field);
  }

  /** What the text beside the options may be: the name of an option, or a value of one. */
  offerRest() {
    clearTimeout(this.timer);
    this.asked += 1;
    const text = this.rest.value.trim();
    const named = /^([^:\s]+):(.*)$/u.exec(text);
    const exact =
      named &&
      this.unused.find((option) =>
        [option.name, option.label].some((name) => plain(name) === plain(named[1])),
      );
    if (exact && (exact.type !== TYPE.file || !named[2])) {
      this.choose(exact, { text: named[2], picked: null });
      return;
    }
    const { rows, lit } = meant(this.unused, text, (option) => this.known(option));
    this.list.fill(
      rows.map(({ option, entry }) => ({
        draw: () => [
          h(
            "span",
            { class: "row-text" },
            h("span", { class: "row-name" }, entry ? `${option.label}: ${entry.text}` : option.label),
            h("span", { class: "row-hint" }, option.description),
          ),
        ],
        choose: () => this.choose(option, entry),
      })),
      lit,
    );
    this.about.replaceChildren(h("strong", {}, `/${this.leaf.label}`), " ", this.leaf.description);
    this.open(this.rest);
  }

  /** @param {Option} option @param {Entry} [entry] */
  choose(option, entry) {
    this.rest.value = "";
    this.settled(this.rest);
    const { field } = this.add(option, entry);
    if (entry?.picked) this.focus();
    else field.focus();
    if (document.activeElement === this.rest) this.offerRest(); // it may have had the focus before
  }

  /** @param {Pill} pill @param {Choice} choice */
  pick(pill, choice) {
    pill.entry = { text: choice.name, picked: choice };
    pill.field.value = choice.name;
    this.settled(pill.field);
    this.fit(pill.field);
    this.focus();
  }

  /** @param {HTMLInputElement} field */
  open(field) {
    this.popup.hidden = false;
    if (field.type !== "file") field.setAttribute("aria-expanded", "true");
    this.current = field;
    this.announce();
  }

  hide() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.popup.hidden = true;
    if (this.current?.type !== "file") this.current?.setAttribute("aria-expanded", "false");
    this.announce();
  }

  announce() {
    const active = this.popup.hidden ? null : this.list.active;
    if (active) this.current?.setAttribute("aria-activedescendant", active);
    else this.current?.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event @param {Pill | null} pill */
  key(event, pill) {
    if (event.isComposing) return;
    const open = !this.popup.hidden;
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    const isFile = field.type === "file"; // has no text cursor
    const start = isFile || (field.selectionStart === 0 && field.selectionEnd === 0);
    const end = isFile || field.selectionStart === field.value.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const settled = pill?.entry.picked;
    if (open && step) this.list.move(step);
    else if (open && event.key === "Escape") this.hide();
    else if (event.key === "Escape") this.on.leave("");
    else if (event.key === "Enter" && open && !settled && this.list.pick()) event.stopPropagation();
    else if (event.key === "Enter") this.on.send();
    else if (event.key === "Tab" && !event.shiftKey && open && !settled && this.list.pick())
      event.stopPropagation();
    else if (event.key === "Backspace" && start && !field.value) this.back(pill);
    else if (event.key === "ArrowLeft" && start) this.beside(field, -1);
    else if (event.key === "ArrowRight" && end) this.beside(field, 1);
    else return;
    event.preventDefault();
  }

  /** Backspace in an empty field: the option goes, then the command. @param {Pill | null} pill */
  back(pill) {
    if (pill && !pill.option.required) {
      this.remove(pill);
      return;
    }
    const before = pill ? this.pills[this.pills.indexOf(pill) - 1] : this.pills.at(-1);
    if (before) before.field.focus();
    else this.on.leave(`/${this.leaf.label}`);
  }

  /** @param {HTMLInputElement} field @param {number} step */
  beside(field, step) {
    const fields = [...this.pills.map((pill) => pill.field), this.rest];
    fields[fields.indexOf(field) + step]?.focus();
  }

  /** What stands in the fields, to be called back later. @returns {Map<string, Entry>} */
  entries() {
    return new Map(this.pills.map((pill) => [pill.option.name, pill.entry]));
  }

  /** The options to send, or null after marking what is wrong with them. */
  values() {
    /** @type {import("./commands.js").Given} */
    const options = {};
    if (!this.place()) return null;
    for (const pill of this.pills) {
      const { value, error, params } = valueOf(pill.option, pill.entry, this.known(pill.option));
      if (error) {
        this.wrong(pill.field, `${pill.option.label}: ${word(this.desk.locale, error, params)}`);
        return null;
      }
      if (value !== undefined) options[pill.option.name] = value;
    }
    return options;
  }

  /** Whether no text is left beside the options: what can be the value of one alone becomes it. */
  place() {
    const text = this.rest.value.trim();
    if (!text) return true;
    const fits = fitting(this.unused, text, (option) => this.known(option)).filter((fit) => fit.whole);
    if (fits.length === 1) {
      this.choose(fits[0].option, fits[0].entry);
      return true;
    }
    this.wrong(this.rest, word(this.desk.locale, this.unused.length ? "stray" : "strayAtAll", { text }));
    this.offerRest();
    return false;
  }

  /** @param {HTMLInputElement} field @param {string} text what is wrong with what stands in it */
  wrong(field, text) {
    field.closest(".pill")?.classList.add("wrong");
    field.setAttribute("aria-invalid", "true");
    field.focus();
    this.on.fail(text);
  }

  /** @param {HTMLInputElement} field one whose text has changed */
  settled(field) {
    field.closest(".pill")?.classList.remove("wrong");
    field.removeAttribute("aria-invalid");
    this.on.fail("");
  }
}
