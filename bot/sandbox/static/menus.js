/** What one can do with a person or a channel: menus of acts and switches. */

import { userCommands } from "./commands.js";
import { h, icon, uid } from "./dom.js";
import { float } from "./floating.js";
import { nameForm, openForm } from "./forms.js";
import { called, isDirect, isThread } from "./store.js";
import { word } from "./words.js";

/** @typedef {import("./column.js").Column} Column */
/** @typedef {{text: string, act: () => unknown, danger?: boolean}} Act */
/** @typedef {{text: string, on: boolean, turn: (on: boolean) => Promise<unknown>}} Switch */

/** What the bot can be denied in a channel, under Discord's own names. */
const RIGHTS = {
  view: "rightView",
  send: "rightSend",
  files: "rightFiles",
  threads: "rightThreads",
  reply: "rightReply",
};

/** @param {string} locale @param {import("./store.js").Channel | undefined} channel */
export const deniedNote = (locale, channel) =>
  channel?.denied?.length
    ? word(locale, "deniedNote", {
        list: channel.denied.map((right) => word(locale, RIGHTS[right])).join(", "),
      })
    : "";

/**
 * Mention, messages and the bot's own commands; then what the server's owner could settle about the person.
 * @param {Column} column @param {string} id @param {HTMLElement} anchor
 */
export function personMenu(column, id, anchor) {
  const { locale, line, store } = column;
  const user = store.user(id);
  if (!user) return;
  const say = () => {
    const { composer } = column;
    if (composer?.bar || !composer) return;
    composer.field.value += `@${called(user)} `;
    composer.focus();
  };
  const set = (/** @type {string} */ op) => (/** @type {boolean} */ on) => line.ask(op, { person: id, on });
  openMenu(column, anchor, {
    title: called(user),
    hint: user.owner ? word(locale, "owner") : "",
    testid: "person-menu",
    groups: [
      [
        { text: word(locale, "mention"), act: say },
        ...(id === column.seat ? [] : [{ text: word(locale, "writeTo"), act: () => column.direct(id) }]),
        ...userCommands(store.commands, column.looker).map(({ path, label }) => ({
          text: label,
          act: () => column.run(label, "context", { command: path, target: id }),
        })),
      ],
      user.bot
        ? []
        : [
            ...(user.owner
              ? []
              : [{ text: word(locale, "manages"), on: Boolean(user.manages), turn: set("set_manager") }]),
            { text: word(locale, "takesDirect"), on: Boolean(user.open), turn: set("set_open") },
          ],
    ],
  });
}

/**
 * What befalls a channel or thread from outside the bot.
 * @param {Column} column @param {string} id @param {HTMLElement} anchor
 */
export function placeMenu(column, id, anchor) {
  const { locale, line, store } = column;
  const channel = store.channels.get(id);
  if (!channel || isDirect(channel)) return;
  const thread = isThread(channel);
  const title = store.title(channel, column.seat);
  const { denied = [] } = channel;
  const switches = thread
    ? [
        {
          text: word(locale, "locked"),
          on: Boolean(channel.thread_metadata?.locked),
          turn: (/** @type {boolean} */ on) => line.ask("lock", { channel: id, on }),
        },
      ]
    : Object.entries(RIGHTS).map(([right, key]) => ({
        text: word(locale, key),
        on: !denied.includes(right),
        turn: (/** @type {boolean} */ on) => line.ask("let_bot", { channel: id, right, on }),
      }));
  openMenu(column, anchor, {
    title,
    testid: "place-menu",
    groups: [
      [
        {
          text: word(locale, "rename"),
          act: () =>
            nameForm(column, {
              title: word(locale, "rename"),
              submit: word(locale, "save"),
              value: title,
              send: (name) => line.ask("rename", { channel: id, name }),
            }),
        },
        {
          text: word(locale, thread ? "deleteThread" : "deleteChannel"),
          danger: true,
          act: () =>
            openForm(column, {
              title: word(locale, thread ? "deleteThread" : "deleteChannel"),
              content: [h("p", {}, word(locale, "deleteAsk", { name: title }))],
              submit: word(locale, "delete"),
              style: "danger",
              send: async () => void (await line.ask("delete_channel", { channel: id })),
            }),
        },
      ],
      switches,
    ],
    heading: thread ? "" : word(locale, "botMay"),
  });
}

/** @param {Column} column */
export function addChannel(column) {
  const { locale, line } = column;
  nameForm(column, {
    title: word(locale, "addChannel"),
    submit: word(locale, "add"),
    value: "",
    send: async (name) => {
      const { channel_id } = await line.ask("add_channel", { name });
      column.open(channel_id); // known by now: its event came before this answer
    },
  });
}

/**
 * Shows a menu of acts and, in its last group, of switches that are turned in place.
 * @param {Column} column
 * @param {HTMLElement} anchor
 * @param {{title: string, hint?: string, heading?: string, testid: string, groups: [Act[], Switch[]]}} menu
 */
function openMenu(column, anchor, { title, hint, heading, testid, groups: [acts, switches] }) {
  const failure = h("p", { class: "failure", role: "alert" });
  const acting = acts.map(({ text, act, danger }) =>
    h(
      "button",
      {
        type: "button",
        role: "menuitem",
        class: `menu-item${danger ? " danger" : ""}`,
        on: { click: () => (close(), act()) },
      },
      text,
    ),
  );
  const turning = switches.map(({ text, on, turn }) => {
    const item = h(
      "button",
      { type: "button", role: "menuitemcheckbox", class: "menu-item turn", "aria-checked": String(on) },
      h("span", {}, text),
      h("span", { class: "switch" }),
    );
    item.addEventListener("click", async () => {
      const wanted = item.getAttribute("aria-checked") !== "true";
      failure.textContent = "";
      try {
        await turn(wanted);
        item.setAttribute("aria-checked", String(wanted));
      } catch (error) {
        failure.textContent = column.complaint(error, "genericError");
      }
    });
    return item;
  });
  const items = [...acting, ...turning];
  const label = uid("group");
  const menu = h(
    "div",
    { role: "menu", class: "menu", "aria-label": title, "data-testid": testid, lang: column.locale },
    h("p", { class: "menu-title", "aria-hidden": "true" }, title),
    hint && h("p", { class: "menu-hint" }, icon("crown"), hint),
    acting,
    turning.length > 0 &&
      h(
        "div",
        { role: "group", class: "menu-group", "aria-label": heading ? null : title, "aria-labelledby": heading ? label : null },
        heading && h("p", { class: "menu-title", id: label }, heading),
        turning,
      ),
    failure,
  );
  menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = items.indexOf(/** @type {any} */ (document.activeElement));
    items[(at + step + items.length) % items.length].focus();
  });
  // A turned switch may have drawn the anchor anew: the focus goes back to what stands in its place.
  const onClose = () => {
    const { key } = anchor.dataset;
    if (key && !anchor.isConnected && document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (column.side?.querySelector(`[data-key="${key}"]`))?.focus();
    }
  };
  const close = float(anchor, menu, { onClose });
  items[0].focus();
}
