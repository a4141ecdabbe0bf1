/** The fields of a command's options. */

import { h } from "./dom.js";

/** @param {string} label @param {string} kind a class @param {import("./floating.js").ListBox<any>} list what it can take @param {() => void} left */
export function textField(label, kind, list, left) {
  /** @type {HTMLInputElement} */
  const field = h("input", {
    type: "text",
    class: kind,
    role: "combobox",
    "aria-label": label,
    "aria-expanded": "false",
    "aria-controls": list.element.id,
    "aria-autocomplete": "list",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "send",
    on: { blur: left },
  });
  return field;
}

/** @param {string} label @param {File | undefined} file @param {() => void} left */
export function fileField(label, file, left) {
  /** @type {HTMLInputElement} */
  const field = h("input", {
    type: "file",
    class: "pill-field",
    "aria-label": label,
    on: { blur: left },
  });
  if (file) {
    const held = new DataTransfer();
    held.items.add(file);
    field.files = held.files;
  }
  return field;
}
