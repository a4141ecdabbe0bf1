/** A form the bot asks to be filled in. */

import { choices } from "./components.js";
import { cross, h, uid } from "./dom.js";
import { markdown } from "./markdown.js";
import { word } from "./words.js";

const PARAGRAPH = 2;
const SELECTS = new Set([3, 5, 6, 7, 8]);

/** @typedef {{context: import("./markdown.js").Context, store: import("./store.js").Store}} Scene */

/**
 * Shows the form; `send` is called with the values by custom id and the form stays until it succeeds.
 * @param {any} modal
 * @param {Scene & {title: string, send: (values: Record<string, string | string[]>) => Promise<void>}} options
 */
export function openModal(modal, { context, store, title, send }) {
  const { locale } = context;
  const heading = uid("modal");
  /** @type {Map<string, () => string | string[]>} */
  const values = new Map();
  const error = h("p", { class: "failure", role: "alert" });
  const submit = h("button", { type: "submit", class: "button primary" }, word(locale, "submit"));
  const form = h(
    "form",
    { method: "dialog" },
    fields(modal.components ?? [], values, { context, store }),
    error,
    h(
      "div",
      { class: "dialog-actions" },
      h(
        "button",
        { type: "button", class: "button secondary", on: { click: () => dialog.close() } },
        word(locale, "cancel"),
      ),
      submit,
    ),
  );
  const dialog = h(
    "dialog",
    { class: "modal", "aria-labelledby": heading, lang: locale, "data-testid": "modal" },
    h(
      "header",
      {},
      h("h2", { id: heading }, modal.title),
      h("p", { class: "hint" }, title),
      cross(word(locale, "close"), () => dialog.close()),
    ),
    form,
  );
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    submit.disabled = true;
    error.textContent = "";
    try {
      await send(Object.fromEntries([...values].map(([id, read]) => [id, read()])));
      dialog.close();
    } catch {
      error.textContent = word(locale, "genericError");
    } finally {
      submit.disabled = false;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("input, textarea, select")?.focus();
}

/** @param {any[]} parts @param {Map<string, () => string | string[]>} values @param {Scene} scene @returns {any[]} */
function fields(parts, values, scene) {
  return parts.flatMap((part) => {
    if (part.type === 1) return fields(part.components, values, scene);
    if (part.type === 18) return [field(part.component, part.label, part.description, values, scene)];
    if (part.type === 10) return [h("div", { class: "text" }, markdown(part.content, scene.context))];
    return [field(part, part.label, part.description, values, scene)];
  });
}

/** @param {any} part @param {string} label @param {string | undefined} description @param {Map<string, () => string | string[]>} values @param {Scene} scene */
function field(part, label, description, values, scene) {
  const { locale } = scene.context;
  const id = uid("field");
  const hint = uid("hint");
  const required = part.required ?? true;
  const shared = {
    id,
    "data-custom-id": part.custom_id,
    required,
    "aria-describedby": description ? hint : null,
  };
  /** @type {any} an input, a textarea or a select */
  let control;
  if (SELECTS.has(part.type)) {
    const many = (part.max_values ?? 1) > 1;
    control = h(
      "select",
      { ...shared, multiple: many },
      !many && h("option", { value: "" }, part.placeholder || word(locale, "choose")),
      choices(part, scene).map((option) =>
        h("option", { value: option.value, selected: Boolean(option.default) }, option.label),
      ),
    );
    values.set(part.custom_id, () =>
      [...control.selectedOptions].map((option) => option.value).filter((value) => value !== ""),
    );
  } else if (part.type === 4) {
    const text = {
      ...shared,
      placeholder: part.placeholder,
      minlength: part.min_length,
      maxlength: part.max_length ?? 4000,
      autocomplete: "off",
    };
    control =
      part.style === PARAGRAPH ? h("textarea", { ...text, rows: 4 }) : h("input", { ...text, type: "text" });
    control.value = part.value ?? "";
    values.set(part.custom_id, () => control.value);
  } else {
    return h("p", { class: "unsupported" }, word(locale, "unsupported"));
  }
  return h(
    "div",
    { class: "field" },
    h(
      "label",
      { for: id },
      label,
      required &&
        h("span", { class: "star", title: word(locale, "requiredField"), "aria-hidden": "true" }, " *"),
    ),
    description && h("p", { class: "hint", id: hint }, description),
    control,
  );
}
