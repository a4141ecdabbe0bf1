/** The card that greets whoever comes for the first time: what this is, and how a game begins. */

import { typedLeaf } from "./commands.js";
import { h } from "./dom.js";
import { called } from "./store.js";
import { word } from "./words.js";

/** @typedef {import("./column.js").Column} Column */
/** @typedef {{challenge: string, opponent: string, game: string, machine: string, level: string, learn: string, games: {value: string, name: string, src: string}[]}} Welcome */

/** The person to play against: the next one after this seat. @param {Column} column */
function other({ store, seat }) {
  const { seats } = store;
  return seats[(seats.findIndex((user) => user.id === seat) + 1) % seats.length];
}

/**
 * The welcome card of a seat's first channel.
 * @param {Column} column @param {Welcome} welcome
 */
export function welcomeCard(column, welcome) {
  const { locale } = column;
  const rival = other(column);
  const name = called(rival);
  const begin = (/** @type {string} */ path, /** @type {string} */ rest) => {
    const { composer } = column;
    const typed = composer && typedLeaf(composer.leaves, `/${path} `);
    if (typed) composer.begin(typed.leaf, rest);
    else composer?.fail(word(locale, "notYet"));
  };
  const send = (/** @type {string} */ path, /** @type {string} */ options) => {
    begin(path, options);
    column.composer?.send();
  };
  const challenge = (/** @type {string} */ options) => send(welcome.challenge, options);
  // the machine begins at once; against people, a form opens with the game chosen
  const play = (/** @type {string} */ game) => challenge(`${welcome.machine} ${welcome.game}:${game}`.trim());
  const button = (/** @type {string} */ label, /** @type {string} */ style, /** @type {() => void} */ act) =>
    h("button", { type: "button", class: `button ${style}`, on: { click: act } }, label);
  return h(
    "section",
    { class: "welcome", "aria-label": word(locale, "welcome"), "data-testid": "welcome" },
    h("h3", {}, word(locale, "welcome")),
    h(
      "p",
      {},
      word(locale, welcome.machine ? "welcomeText" : "welcomePeople", { name: column.name, level: welcome.level }),
    ),
    h(
      "ul",
      { class: "welcome-games" },
      welcome.games.map((game) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "welcome-game",
              "aria-label": word(locale, welcome.machine ? "playMachine" : "challengeTo", { game: game.name }),
              on: { click: () => play(game.name) },
            },
            h("img", { src: game.src, alt: "", width: 240, height: 196 }),
            h("span", {}, game.name),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "row-of-parts" },
      button(word(locale, "challengeOne", { name }), "primary", () =>
        challenge(`${welcome.opponent}:${name}`),
      ),
      button(word(locale, "learn"), "secondary", () => send(welcome.learn, "")),
      button(word(locale, "switchTo", { name }), "secondary", () =>
        column.element.dispatchEvent(new CustomEvent("switch", { detail: rival.id })),
      ),
    ),
  );
}
