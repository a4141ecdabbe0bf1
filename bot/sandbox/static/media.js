/** Pictures and other files of a message. */

import { cross, h, icon } from "./dom.js";
import { float } from "./floating.js";
import { word } from "./words.js";

const PICTURE = /^image\/(png|apng|gif|jpeg|webp)$/u;
const MOVING = /^image\/(apng|gif|webp)$/u;
const TALLEST = 520; // and half of the window: text and buttons of a message have room beside its picture

/** @typedef {{id: string, filename: string, description?: string, content_type?: string, size?: number, width?: number, height?: number, spoiler?: boolean}} Attachment */

/** Where this server serves an attachment. @param {{id: string, filename: string}} file */
const address = (file) => `/attachments/${file.id}/${encodeURIComponent(file.filename)}`;

/** @param {Attachment} file */
export const isPicture = (file) => PICTURE.test((file.content_type ?? "").split(";")[0]);

/**
 * The message's attachment that a URL of an embed or a component means, if it is one of this world's.
 * @param {any} message @param {string | undefined} url @returns {Attachment | null}
 */
export function attachmentOf(message, url) {
  if (!url) return null;
  const named = /^attachment:\/\/(.+)$/u.exec(url);
  const path = /\/attachments\/(?:\d+\/)?(\d+)\/([^/?#]+)/u.exec(url);
  /** @type {Attachment[]} */
  const files = message.attachments ?? [];
  const found = files.find((file) => (named ? file.filename === named[1] : path && file.id === path[1]));
  if (found || !path) return found ?? null;
  return { id: path[1], filename: decodeURIComponent(path[2]), content_type: "image/png" };
}

/**
 * A picture with its description: as alternative text, and behind an ALT badge.
 * @param {Attachment} file @param {string} locale @param {string | null} [description] @param {{thumbnail?: boolean, spoiler?: boolean}} [options]
 */
export function picture(
  file,
  locale,
  description = file.description,
  { thumbnail = false, spoiler = false } = {},
) {
  const alt = description ?? "";
  const image = h("img", {
    src: address(file),
    alt: alt || word(locale, "picture"),
    width: file.width,
    height: file.height,
    decoding: "async",
  });
  const still =
    matchMedia("(prefers-reduced-motion: reduce)").matches && MOVING.test(file.content_type ?? "");
  const opener = h(
    "button",
    { type: "button", class: "picture-open", on: { click: () => enlarge(file, alt, locale) } },
    image,
  );
  const figure = h(
    "div",
    { class: `picture${thumbnail ? " thumbnail" : ""}`, "data-testid": "picture" },
    opener,
  );
  if (file.width && file.height && !thumbnail) {
    const shape = file.width / file.height;
    figure.style.maxWidth = `min(${Math.min(file.width, Math.round(TALLEST * shape))}px, ${(50 * shape).toFixed(2)}dvh)`;
  }
  if (still) freeze(figure, opener, image, locale);
  if (alt && !thumbnail) figure.append(badge(alt, locale));
  if (spoiler || file.filename.startsWith("SPOILER_")) cover(figure, locale);
  return figure;
}

/** @param {string} alt @param {string} locale */
function badge(alt, locale) {
  /** @type {HTMLElement} */
  const button = h(
    "button",
    { type: "button", class: "alt-badge", "aria-label": word(locale, "showAlt"), "data-testid": "alt-badge" },
    h("span", {}, "ALT"),
  );
  button.addEventListener("click", () =>
    float(
      button,
      h(
        "div",
        { class: "alt-card" },
        h("strong", {}, word(locale, "altText")),
        h("p", { "data-testid": "alt-text" }, alt),
      ),
      { label: word(locale, "altText") },
    ),
  );
  return button;
}

/** For who wants less motion: the first frame, and a button that plays. @param {HTMLElement} figure @param {HTMLElement} opener @param {HTMLImageElement} image @param {string} locale */
function freeze(figure, opener, image, locale) {
  const canvas = h("canvas", { role: "img", "aria-label": image.alt });
  image.addEventListener(
    "load",
    () => {
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext("2d")?.drawImage(image, 0, 0);
    },
    { once: true },
  );
  opener.replaceChildren(canvas);
  const play = h(
    "button",
    { type: "button", class: "play", "aria-label": word(locale, "playAnimation") },
    icon("play"),
  );
  play.addEventListener("click", () => {
    opener.replaceChildren(image);
    play.remove();
    opener.focus();
  });
  figure.append(play);
}

/** @param {HTMLElement} figure @param {string} locale */
function cover(figure, locale) {
  figure.classList.add("covered");
  const lid = h("button", { type: "button", class: "lid" }, word(locale, "spoiler"));
  lid.addEventListener("click", () => {
    figure.classList.remove("covered");
    lid.remove();
  });
  figure.append(lid);
}

/** @param {Attachment} file @param {string} alt @param {string} locale */
function enlarge(file, alt, locale) {
  const dialog = h("dialog", { class: "lightbox", "aria-label": alt || word(locale, "picture") });
  const close = cross(word(locale, "close"), () => dialog.close());
  dialog.append(
    h("img", { src: address(file), alt: alt || word(locale, "picture") }),
    alt && h("p", {}, alt),
    close,
  );
  dialog.addEventListener("click", (/** @type {Event} */ event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {Attachment} file @param {string} locale */
export function fileCard(file, locale) {
  const size = new Intl.NumberFormat(locale, {
    style: "unit",
    unit: (file.size ?? 0) < 1000 ? "byte" : "kilobyte",
    unitDisplay: (file.size ?? 0) < 1000 ? "long" : "short",
    maximumFractionDigits: 1,
  });
  const amount = (file.size ?? 0) < 1000 ? (file.size ?? 0) : (file.size ?? 0) / 1000;
  return h(
    "a",
    {
      class: "file",
      href: address(file),
      download: file.filename,
      "data-testid": "file",
      "aria-label": word(locale, "download", { name: file.filename }),
    },
    icon("file"),
    h(
      "span",
      { class: "file-text" },
      h("span", { class: "file-name" }, file.filename),
      h("span", { class: "hint" }, size.format(amount), file.description ? ` · ${file.description}` : ""),
    ),
    icon("down"),
  );
}
