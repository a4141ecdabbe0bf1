/** The page: who is seated, what is shown beside what, and the line to the world. */

import { Column } from "./column.js";
import { keepTime } from "./dates.js";
import { avatar, h, icon, refresh, uid } from "./dom.js";
import { openForm } from "./forms.js";
import { badge } from "./side.js";
import { Line } from "./socket.js";
import { called, Store } from "./store.js";
import { LOCALES, word } from "./words.js";

const NARROW = matchMedia("(max-width: 699px)");
const RECONNECTED = 2500;

const store = new Store();
const line = new Line();
/** @type {Column[]} */
let columns = [];
let focused = 0;
let ready = false;
/** Which channel each seat was last in. @type {Record<string, string>} */
const rooms = remembered("rooms", {});

const tabs = h("div", { class: "tabs", role: "group", "data-testid": "seats" });
const adder = h("div", { class: "adder" });
const actions = h("div", { class: "actions" });
const status = h("p", { class: "status", role: "status", "data-testid": "status" });
const title = h("h1", {});
const main = h("main", { class: "columns" });
document
  .getElementById("app")
  ?.replaceChildren(h("header", { class: "top" }, title, tabs, adder, actions), status, main);

/** @param {string} key @param {any} otherwise */
function remembered(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`sandbox-${key}`) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {unknown} value */
function remember(key, value) {
  localStorage.setItem(`sandbox-${key}`, JSON.stringify(value));
}

const locale = () => (columns[focused] ? columns[focused].locale : navigator.language);
const beside = () => Boolean(remembered("beside", false)) && !NARROW.matches && store.seats.length > 1;

store.watching = (seat, channel) =>
  columns.some((column) => column.seat === seat && column.channel === channel) &&
  document.visibilityState === "visible";

/** @param {string} seat */
function column(seat) {
  const made = new Column({ store, line }, seat, rooms[seat] ?? "");
  made.element.addEventListener("visited", () => {
    rooms[seat] = made.channel;
    remember("rooms", rooms);
  });
  made.element.addEventListener("switch", (/** @type {any} */ event) => both(seat, event.detail));
  made.element.addEventListener("focusin", () => focus(columns.indexOf(made)));
  return made;
}

/** @param {number} index */
function focus(index) {
  if (index < 0 || index === focused) return;
  focused = index;
  chrome();
}

/** Shows these seats, keeping the columns that stay. @param {string[]} seats */
function arrange(seats) {
  // before new columns ask for their messages: a private one that came between would be lost
  line.ask("watch", { seats }).catch(() => {});
  const kept = new Map(columns.map((one) => [one.seat, one]));
  columns = seats.map((seat) => kept.get(seat) ?? column(seat));
  for (const [seat, one] of kept) if (!seats.includes(seat)) one.log?.close();
  focused = Math.min(focused, columns.length - 1);
  const stay = columns.map((one) => one.log?.hold()); // what is taken out and put back begins at its top again
  main.replaceChildren(...columns.map((one) => one.element));
  main.classList.toggle("beside", columns.length > 1);
  remember("seats", seats);
  for (const one of columns) store.seen(one.seat, one.channel);
  for (const back of stay) back?.();
  chrome();
}

/** The seats to show: those there were, filled up with the next ones. */
function wanted() {
  const all = store.seats.map((user) => user.id);
  const before = columns.length ? columns.map((one) => one.seat) : remembered("seats", []);
  const seats = [...new Set([...before, ...all])].filter((seat) => all.includes(seat));
  return seats.slice(0, beside() ? 2 : 1);
}

/** @param {string} seat */
function sit(seat) {
  const shown = columns.findIndex((one) => one.seat === seat);
  if (shown >= 0) focused = shown;
  else arrange(columns.map((one, index) => (index === focused ? seat : one.seat)));
  chrome();
  if (!NARROW.matches) columns[focused].composer?.focus();
}

/** Shows two seats side by side, or where there is no room the other one. @param {string} seat @param {string} other */
function both(seat, other) {
  if (NARROW.matches) {
    sit(other);
    return;
  }
  remember("beside", true);
  arrange([seat, other]);
  sit(other);
}

/** Draws the top of the page. */
function chrome() {
  const language = locale();
  document.documentElement.lang = language;
  title.textContent = word(language, "sandbox");
  const calls = store.seats.reduce((sum, user) => sum + store.total(user.id).mentions, 0);
  document.title = `${calls ? `(${calls}) ` : ""}${title.textContent}`;
  tabs.setAttribute("aria-label", word(language, "seats"));
  const active =
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset.seatTab : undefined;
  refresh(
    tabs,
    ...store.seats.map((user) => tab(user, language)),
  );
  if (active) /** @type {HTMLElement | null} */ (tabs.querySelector(`[data-seat-tab="${active}"]`))?.focus();
  refresh(
    adder,
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": word(language, "addPerson"),
        title: word(language, "addPerson"),
        on: { click: addPerson },
      },
      icon("plus"),
    ),
  );
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const themeName = word(language, dark ? "themeLight" : "themeDark");
  refresh(
    actions,
    h(
      "button",
      {
        type: "button",
        class: "icon-button wide-only",
        "aria-pressed": String(beside()),
        "aria-label": word(language, "sideBySide"),
        title: word(language, "sideBySide"),
        on: { click: toggleBeside },
      },
      icon("columns"),
    ),
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": themeName,
        title: themeName,
        "data-testid": "theme",
        on: { click: () => setTheme(dark ? "light" : "dark") },
      },
      icon(dark ? "sun" : "moon"),
    ),
  );
  columns.forEach((one, index) =>
    one.element.classList.toggle("focused", columns.length > 1 && index === focused),
  );
}

/** @param {import("./store.js").User} user @param {string} language */
function tab(user, language) {
  const { unread, mentions } = store.total(user.id);
  const shown = columns.some((one) => one.seat === user.id);
  return h(
    "button",
    {
      type: "button",
      class: "tab",
      "aria-pressed": String(shown),
      "data-seat-tab": user.id,
      "data-testid": "seat-tab",
      on: { click: () => sit(user.id) },
    },
    avatar(user, called(user)),
    h("span", { class: "tab-name" }, called(user)),
    badge(user, language),
    mentions > 0 &&
      h(
        "span",
        { class: "count" },
        h("span", { "aria-hidden": "true" }, mentions),
        h("span", { class: "hidden" }, word(language, "mentions", { n: mentions })),
      ),
    !mentions &&
      unread > 0 &&
      h("span", { class: "dot" }, h("span", { class: "hidden" }, word(language, "unread", { n: unread }))),
  );
}

function toggleBeside() {
  remember("beside", !beside());
  arrange(wanted());
}

/** @param {"light" | "dark"} theme */
function setTheme(theme) {
  remember("theme", theme);
  showTheme();
  chrome();
}

/** Dark, as the real thing is, until somebody chooses: a browser says "light" also where the system says nothing. */
function showTheme() {
  document.documentElement.dataset.theme = remembered("theme", "dark");
}

function addPerson() {
  const language = locale();
  const name = uid("name");
  const tongue = uid("language");
  const field = h("input", { id: name, type: "text", required: true, maxlength: "32", autocomplete: "off" });
  const choice = h(
    "select",
    { id: tongue },
    Object.entries(LOCALES).map(([code, label]) => h("option", { value: code }, label)),
  );
  openForm(columns[focused], {
    title: word(language, "addPerson"),
    content: [
      h("div", { class: "field" }, h("label", { for: name }, word(language, "name")), field),
      h("div", { class: "field" }, h("label", { for: tongue }, word(language, "language")), choice),
    ],
    submit: word(language, "add"),
    testid: "add-person",
    send: async () => {
      const { user } = await line.ask("add_user", { name: field.value, locale: choice.value });
      return () => {
        if (beside() && columns.length < 2) arrange([...columns.map((one) => one.seat), user.id]);
        sit(user.id);
      };
    },
  });
}

store.addEventListener("change", () => {
  if (!ready) return;
  for (const one of columns) {
    if (one.context.locale !== one.locale) one.render(one.channel);
    else one.changed();
  }
  chrome();
});

line.addEventListener("event", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  store.take(detail);
  for (const one of columns) one.take(detail);
});

line.addEventListener("open", async () => {
  const again = ready;
  const shown = columns.length ? columns.map((one) => one.seat) : remembered("seats", []);
  store.fill(await line.ask("hello", { seats: shown, language: navigator.language }));
  ready = true;
  arrange(wanted());
  if (!again) {
    status.textContent = "";
    return;
  }
  for (const one of columns) {
    if (one.place) one.log?.load();
    else one.open(one.home);
  }
  status.textContent = word(locale(), "connected");
  status.dataset.kind = "good";
  setTimeout(() => {
    if (status.dataset.kind === "good") status.textContent = "";
  }, RECONNECTED);
});

line.addEventListener("lost", () => {
  status.textContent = word(locale(), ready ? "lost" : "connecting");
  status.dataset.kind = "bad";
});

document.addEventListener("visibilitychange", () => {
  for (const one of columns) store.seen(one.seat, one.channel);
});
NARROW.addEventListener("change", () => ready && arrange(wanted()));

showTheme();
status.textContent = word(navigator.language, "connecting");
chrome();
keepTime();
