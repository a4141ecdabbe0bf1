/** Building the page's elements. Text always goes in as text: nothing on this page is ever parsed as HTML. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element: `on` holds listeners, `false`/`null` leave an attribute out, `true` sets it bare.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(
    .../** @type {any[]} */ (children.flat()).filter((child) => child || child === 0 || child === ""),
  );
  return element;
}

/**
 * Puts new children into an element unless they are the same as those it has: what is being pressed or read stays.
 * @param {Element} parent @param {...(Node | false)} children
 */
export function refresh(parent, ...children) {
  const fresh = /** @type {Node[]} */ (children.filter(Boolean));
  const same =
    parent.childNodes.length === fresh.length &&
    fresh.every((child, index) => child.isEqualNode(parent.childNodes[index]));
  if (!same) parent.replaceChildren(...fresh);
}

const STROKES = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  columns: "M4 5h16v14H4zM12 5v14",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M19 14.5A8 8 0 019.5 5a8 8 0 109.500 9.500z",
  send: "M5 12h13M12.500 6l6 6-6 6",
  down: "M6 9.500l6 6 6-6",
  thread: "M5 5v9a3 3 0 003 3h11M9 9h10M9 13h10",
  hash: "M9.500 4L7.500 20M16.500 4l-2 16M5 9h15M4 15h15",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  file: "M7 3h7l5 5v13H7zM14 3v5h5",
  reply: "M5 18v-5a4 4 0 014-4h10M15 5l4 4-4 4",
  check: "M5 12.500l5 5L19 7.500",
  play: "M8 5v14l11-7z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  crown: "M5 18h14M5 15L4 7l4.500 3.500L12 5l3.500 5.500L20 7l-1 8z",
  wrench: "M14.500 6.500a4 4 0 015-1.500l-2.500 2.500 1.500 1.500L21 6.500a4 4 0 01-5.500 5L8 19a2.100 2.100 0 01-3-3l7.500-7.500a4 4 0 012-2z",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 016 0v3",
};

/**
 * A small line drawing; it is decoration, the element around it carries the name.
 * @param {keyof typeof STROKES} name
 */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", STROKES[name]);
  svg.append(path);
  return svg;
}

/**
 * A button with a cross, which closes or leaves something.
 * @param {string} label
 * @param {() => void} act
 * @param {string} style
 */
export const cross = (label, act, style = "icon-button") =>
  h("button", { type: "button", class: style, "aria-label": label, on: { click: act } }, icon("close"));

const HUES = ["#2b6a99", "#8a4b1f", "#2f7350", "#7a4a8c", "#9a3d55", "#4f6b1e", "#55608f", "#8a5a00"];

/**
 * A drawn portrait: initials on a colour that belongs to the person.
 * @param {{id: string}} user
 * @param {string} name
 */
export function avatar(user, name) {
  const words = name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const initials =
    words.length > 1 ? [...words[0]][0] + [...words[1]][0] : [...(words[0] ?? "?")].slice(0, 2).join("");
  const disc = h("span", { class: "avatar", "aria-hidden": "true" }, initials.toUpperCase());
  let sum = 0;
  for (const letter of user.id + name) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  disc.style.background = HUES[sum % HUES.length];
  return disc;
}

/**
 * A link that leaves the page; only to the web, whatever the bot wrote.
 * @param {string | undefined} url
 * @param {string | null} style a class
 * @param {...(Child | Child[])} children
 */
export const outward = (url, style, ...children) =>
  h(
    "a",
    {
      class: style,
      href: /^https?:/u.test(url ?? "") ? url : null,
      target: "_blank",
      rel: "noopener noreferrer",
    },
    ...children,
  );

let serial = 0;
/** A document-wide unique id, for labels and lists. */
export const uid = (prefix = "u") => `${prefix}-${++serial}`;
