/** A form the bot asks to be filled in. */

import { h, icon, uid } from "./dom.js";
import { markdown } from "./markdown.js";
import { word } from "./words.js";

const PARAGRAPH = 2;

/**
 * Shows the form; `send` is called with the values by custom id and the form stays until it succeeds.
 * @param {any} modal
 * @param {{context: import("./markdown.js").Context, title: string, send: (values: Record<string, string>) => Promise<void>}} options
 */
export function openModal(modal, { context, title, send }) {
  const { locale } = context;
  const heading = uid("modal");
  /** @type {Map<string, () => string>} */
  const values = new Map();
  const error = h("p", { class: "failure", role: "alert" });
  const submit = h("button", { type: "submit", class: "button primary" }, word(locale, "submit"));
  const form = h(
    "form",
    { method: "dialog" },
    fields(modal.components ?? [], values, context),
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
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": word(locale, "close"),
          on: { click: () => dialog.close() },
        },
        icon("close"),
      ),
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

/** @param {any[]} parts @param {Map<string, () => string>} values @param {import("./markdown.js").Context} context @returns {any[]} */
function fields(parts, values, context) {
  return parts.flatMap((part) => {
    if (part.type === 1) return fields(part.components, values, context);
    if (part.type === 18) return [field(part.component, part.label, part.description, values, context)];
    if (part.type === 10) return [h("div", { class: "text" }, markdown(part.content, context))];
    return [field(part, part.label, part.description, values, context)];
  });
}

/** @param {any} part @param {string} label @param {string | undefined} description @param {Map<string, () => string>} values @param {import("./markdown.js").Context} context */
function field(part, label, description, values, context) {
  const { locale } = context;
  const id = uid("field");
  const hint = uid("hint");
  const required = part.required ?? true;
  const shared = {
    id,
    "data-custom-id": part.custom_id,
    required,
    "aria-describedby": description ? hint : null,
  };
  let control;
  if (part.type === 3) {
    control = h(
      "select",
      shared,
      !required && h("option", { value: "" }, part.placeholder || word(locale, "choose")),
      part.options.map((/** @type {any} */ option) =>
        h("option", { value: option.value, selected: Boolean(option.default) }, option.label),
      ),
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
  } else {
    return h("p", { class: "unsupported" }, word(locale, "unsupported"));
  }
  values.set(part.custom_id, () => control.value);
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
