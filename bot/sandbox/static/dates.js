/** Times as a reader of a locale expects them; relative ones stay true while the page is open. */

import { h } from "./dom.js";
import { word } from "./words.js";

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** @param {number} seconds @param {string} style @param {string} locale */
function formatted(seconds, style, locale) {
  if (style === "R") return relative(seconds - Date.now() / 1000, locale);
  return new Intl.DateTimeFormat(locale, STYLES[style] ?? STYLES.f).format(seconds * 1000);
}

/** @param {number} distance in seconds, negative for the past @param {string} locale */
function relative(distance, locale) {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  for (const [unit, size] of UNITS) {
    if (Math.abs(distance) >= size) return format.format(Math.round(distance / size), unit);
  }
  return new Intl.RelativeTimeFormat(locale).format(Math.round(distance), "second");
}

/** A timestamp of a message's text, `<t:seconds:style>`. @param {number} seconds @param {string} style @param {string} locale */
export function stamp(seconds, style, locale) {
  const when = new Date(seconds * 1000);
  if (Number.isNaN(when.getTime())) return h("span", {}, `<t:${seconds}>`);
  const live = style === "R" ? { "data-live": seconds } : {};
  const title = formatted(seconds, "F", locale);
  return h(
    "time",
    { class: "stamp", datetime: when.toISOString(), title, lang: locale, ...live },
    formatted(seconds, style, locale),
  );
}

/** When a message was sent, as short as the day allows. @param {string} iso @param {string} locale */
export function sent(iso, locale) {
  const when = new Date(iso);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(when);
  const days = Math.round((midnight(new Date()) - midnight(when)) / 86_400_000);
  if (days === 0) return word(locale, "today", { time });
  if (days === 1) return word(locale, "yesterday", { time });
  return new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" }).format(when);
}

/** @param {string} iso @param {string} locale */
export const day = (iso, locale) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date(iso));

/** @param {Date} date */
const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** Keeps relative times true: every second, touching only what has changed. */
export function keepTime() {
  setInterval(() => {
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (
      document.querySelectorAll("time[data-live]")
    )) {
      const text = formatted(Number(element.dataset.live), "R", element.lang);
      if (element.textContent !== text) element.textContent = text;
    }
  }, 1000);
}
