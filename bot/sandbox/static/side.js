/** The channels, threads, direct messages and people a seat sees. */

import { avatar, h, icon, refresh } from "./dom.js";
import { addChannel, placeMenu } from "./menus.js";
import { called, isDirect, isThread, older } from "./store.js";
import { word } from "./words.js";

/** @typedef {import("./column.js").Column} Column */
/** @typedef {import("./store.js").Channel} Channel */

/** @param {Column} column */
export function drawSide(column) {
  const { store, seat, locale, side } = column;
  if (!side) return;
  const focused = /** @type {HTMLElement | null} */ (
    side.contains(document.activeElement) ? document.activeElement : null
  )?.dataset.key;
  const unfolded = Boolean(side.querySelector("details[open]"));
  const places = store.places(seat);
  const threads = places.filter(isThread).sort((a, b) => older(b.id, a.id));
  const direct = places.filter((channel) => isDirect(channel));
  const open = (/** @type {Channel} */ thread) =>
    !thread.thread_metadata?.archived || thread.id === column.channel;
  const archived = threads.filter((thread) => !open(thread));
  const top = places.filter((channel) => !isThread(channel) && !isDirect(channel));
  refresh(
    side,
    h(
      "ul",
      { class: "places" },
      top.map((channel) =>
        h(
          "li",
          {},
          entry(column, channel),
          nested(
            column,
            threads.filter((thread) => open(thread) && thread.parent_id === channel.id),
          ),
        ),
      ),
      h("li", {}, adding(column)),
    ),
    ...(archived.length
      ? [
          h(
            "details",
            { class: "archived", open: unfolded },
            h("summary", {}, `${word(locale, "archived")} (${archived.length})`),
            nested(column, archived),
          ),
        ]
      : []),
    ...(direct.length
      ? [
          h("h3", {}, word(locale, "directMessages")),
          h(
            "ul",
            { class: "places" },
            direct.map((channel) => h("li", {}, entry(column, channel))),
          ),
        ]
      : []),
    h("h3", {}, word(locale, "people")),
    h("ul", { class: "places people" }, people(column)),
  );
  if (focused) /** @type {HTMLElement | null} */ (side.querySelector(`[data-key="${focused}"]`))?.focus();
}

/** @param {Column} column @param {Channel[]} threads */
const nested = (column, threads) =>
  threads.length > 0 &&
  h(
    "ul",
    { class: "places threads" },
    threads.map((thread) => h("li", {}, entry(column, thread))),
  );

/** @param {Column} column @param {Channel} channel */
function entry(column, channel) {
  const { store, seat, locale } = column;
  const { unread, mentions } = store.count(seat, channel.id);
  const here = channel.id === column.channel;
  const shape = isDirect(channel) ? "mail" : isThread(channel) ? "thread" : "hash";
  return h(
    "button",
    {
      type: "button",
      class: `place-button${unread ? " unread" : ""}`,
      "data-key": channel.id,
      "data-testid": "channel",
      "aria-current": here ? "page" : null,
      on: {
        click: () => column.open(channel.id),
        contextmenu: (/** @type {Event} */ event) => {
          if (isDirect(channel)) return;
          event.preventDefault();
          placeMenu(column, channel.id, /** @type {HTMLElement} */ (event.currentTarget));
        },
      },
    },
    icon(shape),
    h("span", { class: "place-name" }, store.title(channel, seat)),
    channel.thread_metadata?.locked && icon("lock"),
    mentions > 0 &&
      h(
        "span",
        { class: "count" },
        h("span", { "aria-hidden": "true" }, mentions),
        h("span", { class: "hidden" }, word(locale, "mentions", { n: mentions })),
      ),
    !mentions &&
      unread > 0 &&
      h("span", { class: "dot" }, h("span", { class: "hidden" }, word(locale, "unread", { n: unread }))),
  );
}

/** @param {Column} column */
const adding = (column) =>
  h(
    "button",
    {
      type: "button",
      class: "place-button",
      "data-key": "add-channel",
      "data-testid": "add-channel",
      on: { click: () => addChannel(column) },
    },
    icon("plus"),
    h("span", { class: "place-name" }, word(column.locale, "addChannel")),
  );

/** @param {Column} column */
function people({ store, context, locale }) {
  const all = [...store.users.values()];
  if (!store.users.has(store.bot.id)) all.push(store.bot);
  return all.map((user) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "place-button",
          "data-key": `person-${user.id}`,
          "data-testid": "person",
          "aria-haspopup": "menu",
          on: {
            click: (/** @type {Event} */ event) =>
              context.person(user.id, /** @type {HTMLElement} */ (event.currentTarget)),
            contextmenu: (/** @type {Event} */ event) => (
              event.preventDefault(),
              context.person(user.id, /** @type {HTMLElement} */ (event.currentTarget))
            ),
          },
        },
        avatar(user, called(user)),
        h("span", { class: "place-name" }, called(user)),
        user.bot && h("span", { class: "tag" }, word(locale, "botTag")),
        badge(user, locale),
      ),
    ),
  );
}

/**
 * What a person is in the server: its owner, or one who manages it.
 * @param {import("./store.js").User} user @param {string} locale
 */
export function badge(user, locale) {
  const key = user.owner ? "owner" : user.manages ? "manages" : null;
  if (!key) return false;
  return h(
    "span",
    { class: "badge", title: word(locale, key) },
    icon(user.owner ? "crown" : "wrench"),
    h("span", { class: "hidden" }, ` ${word(locale, key)}`),
  );
}
