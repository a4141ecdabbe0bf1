/** Lists and cards that float over the page: menus of people, selects, descriptions of pictures. One at a time. */

import { h, uid } from "./dom.js";

/** @type {null | (() => void)} */
let shut = null;

/** Closes what floats, if anything does. */
export function closeFloating() {
  shut?.();
}

/**
 * Shows `content` beside `anchor` (at the bottom of a narrow screen) until a click elsewhere, Escape or a call of the
 * function it returns; the focus then goes back to the anchor.
 * @param {HTMLElement} anchor
 * @param {HTMLElement} content
 * @param {{onClose?: () => void, label?: string}} [options]
 * @returns {() => void}
 */
export function float(anchor, content, { onClose, label } = {}) {
  closeFloating();
  const card = h("div", { class: "floating", "data-testid": "floating" }, content);
  // It lies outside of the page's landmarks, so it is one of its own: a screen reader's user finds it.
  const named = label ?? content.getAttribute("aria-label") ?? content.querySelector("[aria-label]")?.getAttribute("aria-label");
  card.setAttribute("role", label ? "dialog" : "region");
  if (named) card.setAttribute("aria-label", named);
  (anchor.closest("dialog") ?? document.body).append(card);
  const settle = () => position(anchor, card);
  settle();
  const outside = (/** @type {Event} */ event) => {
    const target = /** @type {Node} */ (event.target);
    if (!card.contains(target) && !anchor.contains(target)) close(false);
  };
  const escape = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    close(true);
  };
  const close = (refocus = true) => {
    if (shut !== close) return;
    shut = null;
    document.removeEventListener("pointerdown", outside, true);
    document.removeEventListener("keydown", escape, true);
    removeEventListener("resize", settle);
    card.remove();
    if (refocus && anchor.isConnected) anchor.focus();
    onClose?.();
  };
  document.addEventListener("pointerdown", outside, true);
  document.addEventListener("keydown", escape, true);
  addEventListener("resize", settle);
  shut = close;
  return close;
}

const GAP = 6;
const NARROW = 480;

/** @param {HTMLElement} anchor @param {HTMLElement} card */
function position(anchor, card) {
  const sheet = innerWidth <= NARROW;
  card.classList.toggle("sheet", sheet);
  card.style.left = card.style.top = card.style.maxHeight = card.style.minWidth = "";
  if (sheet) return;
  const box = anchor.getBoundingClientRect();
  card.style.minWidth = `${Math.min(box.width, 440)}px`;
  const below = innerHeight - box.bottom - 2 * GAP;
  const above = box.top - 2 * GAP;
  const up = card.offsetHeight > below && above > below;
  card.style.maxHeight = `${Math.max(120, up ? above : below)}px`;
  card.style.left = `${Math.max(GAP, Math.min(box.left, innerWidth - card.offsetWidth - GAP))}px`;
  card.style.top = `${up ? box.top - card.offsetHeight - GAP : box.bottom + GAP}px`;
}

/**
 * A list to choose from by mouse, touch or keys.
 * @template T
 */
export class ListBox {
  /**
   * @param {{label: string, choose: (item: T, index: number) => void, draw: (item: T) => Node[], testid?: string, many?: boolean}} options
   */
  constructor({ label, choose, draw, testid, many = false }) {
    this.choose = choose;
    this.draw = draw;
    /** @type {T[]} */
    this.items = [];
    this.index = -1;
    this.element = h("div", {
      role: "listbox",
      "aria-label": label,
      class: "listbox",
      "data-testid": testid,
      "aria-multiselectable": many ? "true" : null,
    });
    this.element.id = uid("list");
    // Rows never take the focus from the field they serve.
    this.element.addEventListener("pointerdown", (/** @type {Event} */ event) => event.preventDefault());
  }

  /** @param {T[]} items @param {number} index the row lit up at first, -1 for none @param {(item: T) => boolean} [selected] */
  fill(items, index = 0, selected = () => false) {
    this.items = items;
    this.element.replaceChildren(
      ...items.map((item, place) =>
        h(
          "div",
          {
            role: "option",
            id: `${this.element.id}-${place}`,
            class: "row",
            "aria-selected": String(selected(item)),
            on: { click: () => this.choose(item, place), pointermove: () => this.light(place, false) },
          },
          this.draw(item),
        ),
      ),
    );
    this.index = -1;
    this.light(Math.min(index, items.length - 1), true);
  }

  /** @param {number} index @param {boolean} scroll */
  light(index, scroll) {
    if (index === this.index) return;
    this.element.children[this.index]?.classList.remove("lit");
    this.index = index;
    const row = this.element.children[index];
    row?.classList.add("lit");
    if (scroll) row?.scrollIntoView({ block: "nearest" });
    this.onLight?.();
  }

  /** Called when another row lights up. @type {undefined | (() => void)} */
  onLight;

  /** The lit row's id, for aria-activedescendant. */
  get active() {
    return this.index >= 0 ? `${this.element.id}-${this.index}` : null;
  }

  /** @param {number} step */
  move(step) {
    if (!this.items.length) return;
    const next = this.index < 0 ? (step > 0 ? 0 : this.items.length - 1) : this.index + step;
    this.light((next + this.items.length) % this.items.length, true);
  }

  pick() {
    if (this.index < 0 || this.index >= this.items.length) return false;
    this.choose(this.items[this.index], this.index);
    return true;
  }
}
