/** Small forms of the page's own, in a dialog. */

import { h, uid } from "./dom.js";
import { word } from "./words.js";

/** Whose language the form speaks, and what it tells of a refusal. @typedef {{locale: string, complaint: (error: any, unanswered: string) => string}} Asker */

/**
 * Asks for a name.
 * @param {Asker} asker
 * @param {{title: string, submit: string, value: string, send: (name: string) => Promise<unknown>}} form
 */
export function nameForm(asker, { title, submit, value, send }) {
  const name = uid("name");
  const field = h("input", { id: name, type: "text", required: true, maxlength: "100", autocomplete: "off", value });
  openForm(asker, {
    title,
    content: [h("div", { class: "field" }, h("label", { for: name }, word(asker.locale, "name")), field)],
    submit,
    send: async () => void (await send(field.value)),
  });
  field.select();
}

/**
 * A small form of the page's own; it stays until what it sends was accepted, and then does what `send` came back with.
 * @param {Asker} asker
 * @param {{title: string, content: Node[], submit: string, style?: string, testid?: string, send: () => Promise<void | (() => void)>}} form
 */
export function openForm(asker, { title, content, submit, style = "primary", testid = "form", send }) {
  const { locale } = asker;
  const heading = uid("heading");
  const failure = h("p", { class: "failure", role: "alert" });
  const form = h(
    "form",
    { method: "dialog" },
    content,
    failure,
    h(
      "div",
      { class: "dialog-actions" },
      h(
        "button",
        { type: "button", class: "button secondary", on: { click: () => dialog.close() } },
        word(locale, "cancel"),
      ),
      h("button", { type: "submit", class: `button ${style}` }, submit),
    ),
  );
  const dialog = h(
    "dialog",
    { class: "modal", "aria-labelledby": heading, lang: locale, "data-testid": testid },
    h("header", {}, h("h2", { id: heading }, title)),
    form,
  );
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const then = await send();
      dialog.close();
      then?.();
    } catch (error) {
      failure.textContent = asker.complaint(error, "genericError");
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
