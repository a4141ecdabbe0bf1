/** A message's components: buttons, selects, and the parts of the newer layout. */

import { h, icon } from "./dom.js";
import { closeFloating, float, ListBox } from "./floating.js";
import { link, markdown } from "./markdown.js";
import { called } from "./store.js";
import { word } from "./words.js";

/** The message's surroundings, made by message.js. @typedef {import("./message.js").Scene} Scene */

export const V2 = 1 << 15;

const BUTTONS = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "primary" };

/** @type {Record<number, (part: any, scene: Scene) => Node | null>} */
const PARTS = {
  1: (part, scene) =>
    h("div", { class: "row-of-parts", "data-testid": "action-row" }, components(part.components, scene)),
  2: button,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: (part, scene) =>
    h(
      "div",
      { class: "section" },
      h("div", { class: "section-text" }, components(part.components, scene)),
      components([part.accessory], scene),
    ),
  10: (part, scene) => h("div", { class: "text" }, markdown(part.content ?? "", scene.context)),
  11: (part, scene) =>
    scene.picture(part.media?.url, part.description, { spoiler: part.spoiler, thumbnail: true }),
  12: (part, scene) =>
    h(
      "div",
      { class: `gallery of-${Math.min(part.items.length, 4)}` },
      part.items.map((/** @type {any} */ item) =>
        scene.picture(item.media?.url, item.description, { spoiler: item.spoiler }),
      ),
    ),
  13: (part, scene) => scene.file(part.file?.url),
  14: (part) =>
    h("hr", { class: `${part.divider === false ? "bare" : ""} ${part.spacing === 2 ? "wide" : ""}` }),
  17: container,
};

/** @param {any[]} parts @param {Scene} scene @returns {Node[]} */
export function components(parts, scene) {
  return (parts ?? [])
    .filter(Boolean)
    .map(
      (part) =>
        PARTS[part.type]?.(part, scene) ??
        h("em", { class: "unsupported" }, word(scene.context.locale, "unsupported")),
    );
}

/** @param {any} part @param {Scene} scene */
function container(part, scene) {
  const box = h("div", { class: "container" }, components(part.components, scene));
  if (part.accent_color !== null && part.accent_color !== undefined)
    box.style.borderInlineStartColor = colour(part.accent_color);
  return box;
}

/** @param {number} value */
export const colour = (value) => `#${value.toString(16).padStart(6, "0")}`;

/** @param {any} emoji */
const glyph = (emoji) =>
  emoji && h("span", { class: "emoji", "aria-hidden": "true" }, emoji.id ? `:${emoji.name}:` : emoji.name);

const dots = () => h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));

/** @param {any} part @param {Scene} scene */
function button(part, scene) {
  const style = BUTTONS[/** @type {1} */ (part.style)] ?? "secondary";
  const name = part.label || part.emoji?.name || "";
  if (part.style === 5) {
    return link(part.url, [glyph(part.emoji), h("span", {}, name)], scene.context, `button ${style}`);
  }
  const busy = scene.busy === part.custom_id;
  return h(
    "button",
    {
      type: "button",
      class: `button ${style}`,
      disabled: Boolean(part.disabled),
      "data-custom-id": part.custom_id,
      "data-busy": busy,
      "aria-busy": busy ? "true" : null,
      "aria-disabled": scene.busy ? "true" : null,
      on: { click: () => scene.busy || scene.press(part.custom_id) },
    },
    glyph(part.emoji),
    h(
      "span",
      { class: "label" },
      part.label || (part.emoji ? h("span", { class: "hidden" }, part.emoji.name) : ""),
    ),
    busy && dots(),
  );
}

/** @typedef {{value: string, label: string, description?: string, emoji?: any, default?: boolean}} Choice */

/** What can be chosen: the bot's own options, people, roles, or channels. @param {any} part @param {Pick<Scene, "context" | "store">} scene @returns {Choice[]} */
export function choices(part, scene) {
  if (part.type === 3) return part.options ?? [];
  const { store } = scene;
  const chosen = new Set((part.default_values ?? []).map((/** @type {any} */ one) => one.id));
  if (part.type === 8) {
    const kinds = part.channel_types ?? [];
    return store
      .places(scene.context.seat)
      .filter((channel) => !kinds.length || kinds.includes(channel.type))
      .map((channel) => ({ value: channel.id, label: `#${channel.name}`, default: chosen.has(channel.id) }));
  }
  if (part.type === 6)
    return store.roles.map((role) => ({ value: role.id, label: `@${role.name}`, default: chosen.has(role.id) }));
  return [...store.users.values()].map((user) => ({
    value: user.id,
    label: called(user),
    default: chosen.has(user.id),
  }));
}

/** @param {any} part @param {Scene} scene */
function select(part, scene) {
  const { locale } = scene.context;
  const all = choices(part, scene);
  const least = part.min_values ?? 1;
  const most = Math.min(part.max_values ?? 1, all.length);
  const placeholder = part.placeholder || word(locale, "choose");
  const before = all.filter((choice) => choice.default);
  const busy = scene.busy === part.custom_id;
  const text = before.length ? before.map((choice) => choice.label).join(", ") : placeholder;
  /** @type {HTMLButtonElement} */
  const anchor = h(
    "button",
    {
      type: "button",
      class: `select ${before.length ? "" : "unset"}`,
      disabled: Boolean(part.disabled),
      "data-custom-id": part.custom_id,
      "data-busy": busy,
      "aria-busy": busy ? "true" : null,
      "aria-disabled": scene.busy ? "true" : null,
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-label": before.length ? `${placeholder}: ${text}` : placeholder,
      on: { click: () => (anchor.getAttribute("aria-expanded") === "true" ? closeFloating() : open()) },
    },
    before.length === 1 && glyph(before[0].emoji),
    h("span", { class: "label" }, text),
    busy ? dots() : icon("down"),
  );
  const many = most > 1;
  const open = () => {
    if (scene.busy) return;
    const chosen = new Set(before.map((choice) => choice.value));
    const list = new ListBox({
      label: placeholder,
      testid: "select-list",
      many,
      draw: (/** @type {Choice} */ choice) =>
        [
          glyph(choice.emoji),
          h(
            "span",
            { class: "row-text" },
            h("span", { class: "row-name" }, choice.label),
            choice.description && h("span", { class: "row-hint" }, choice.description),
          ),
          h("span", { class: many ? "tick box" : "tick" }, icon("check")),
        ].filter(Boolean),
      choose: (choice, index) => {
        if (!many) {
          close();
          scene.choose(part.custom_id, choice.default && least === 0 ? [] : [choice.value]); // or take it back
        } else {
          if (!chosen.delete(choice.value) && chosen.size < most) chosen.add(choice.value);
          list.element.children[index].setAttribute("aria-selected", String(chosen.has(choice.value)));
        }
      },
    });
    list.fill(all, Math.max(0, all.indexOf(before[0])), (choice) => chosen.has(choice.value));
    const finish = () => {
      if (chosen.size < least) return;
      close();
      scene.choose(
        part.custom_id,
        all.filter((choice) => chosen.has(choice.value)).map((choice) => choice.value),
      );
    };
    const done =
      many &&
      h("button", { type: "button", class: "button primary", on: { click: finish } }, word(locale, "done"));
    const close = float(
      anchor,
      h(
        "div",
        { class: "select-card" },
        h("div", { class: "select-title", "aria-hidden": "true" }, placeholder),
        list.element,
        done,
      ),
      { onClose: () => anchor.setAttribute("aria-expanded", "false") },
    );
    anchor.setAttribute("aria-expanded", "true");
    list.element.tabIndex = 0;
    list.onLight = () => list.element.setAttribute("aria-activedescendant", list.active ?? "");
    list.onLight();
    list.element.focus();
    list.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) list.move(step);
      else if (event.key === "Home" || event.key === "End")
        list.light(event.key === "Home" ? 0 : all.length - 1, true);
      else if (event.key === "Enter" && many) finish();
      else if (event.key === "Enter" || event.key === " ") list.pick();
      else if (event.key.length === 1) jump(list, all, event.key);
      else return;
      event.preventDefault();
    });
  };
  return anchor;
}

/** Lights the next row that begins with a letter. @param {ListBox<Choice>} list @param {Choice[]} all @param {string} letter */
function jump(list, all, letter) {
  for (let step = 1; step <= all.length; step += 1) {
    const index = (list.index + step) % all.length;
    if (all[index].label.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase())) {
      list.light(index, true);
      return;
    }
  }
}
