/** One message, as the reader of a seat sees it. */

import { colour, components, V2 } from "./components.js";
import { shownName } from "./commands.js";
import { sent } from "./dates.js";
import { avatar, h, icon, outward } from "./dom.js";
import { link, markdown } from "./markdown.js";
import { attachmentOf, fileCard, isPicture, picture } from "./media.js";
import { called, mentions } from "./store.js";
import { word } from "./words.js";

export const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const REPLY = 19;
const THREAD_STARTED = 18;
const CONTEXT_COMMAND = 23;

/**
 * What a message needs of the column that shows it.
 * @typedef {object} Scene
 * @property {import("./markdown.js").Context} context
 * @property {import("./store.js").Store} store
 * @property {string | null} busy the pressed component that waits for an answer
 * @property {string | null} failure what went wrong with the last press
 * @property {boolean} grouped whether it follows a message of the same person closely
 * @property {(id: string) => any} loaded another message of this channel, if it is at hand
 * @property {(customId: string) => void} press
 * @property {(customId: string, values: string[]) => void} choose
 * @property {() => void} dismiss
 * @property {(url: string | undefined, description?: string, options?: {thumbnail?: boolean, spoiler?: boolean}) => Node} picture
 * @property {(url: string | undefined) => Node | null} file
 */

/** @param {any} message @param {Omit<Scene, "picture" | "file">} surroundings @returns {HTMLElement} */
export function drawMessage(message, surroundings) {
  const { locale, seat } = surroundings.context;
  /** @type {Scene} */
  const scene = {
    ...surroundings,
    picture: (url, description, options) => {
      const file = attachmentOf(message, url);
      return file
        ? picture(file, locale, description ?? file.description, options)
        : outward(url, null, url ?? "");
    },
    file: (url) => {
      const file = attachmentOf(message, url);
      return file && fileCard(file, locale);
    },
  };
  const author = scene.store.user(message.author?.id) ?? message.author ?? scene.store.bot;
  const name = called(author);
  const ephemeral = Boolean((message.flags ?? 0) & EPHEMERAL);
  const header = above(message, scene);
  const grouped = scene.grouped && !header;
  const classes = [
    "message",
    grouped && "grouped",
    ephemeral && "ephemeral",
    mentions(message, seat) && "mentioned",
  ]
    .filter(Boolean)
    .join(" ");
  const who = (/** @type {Event} */ event) =>
    scene.context.person(author.id, /** @type {HTMLElement} */ (event.currentTarget));
  return h(
    "li",
    {
      class: classes,
      "data-testid": "message",
      "data-id": message.id,
      "data-author": name,
      "data-ephemeral": String(ephemeral),
      tabindex: "-1",
    },
    header,
    grouped
      ? h(
          "time",
          { class: "margin-time", datetime: message.timestamp, "aria-hidden": "true" },
          new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(message.timestamp)),
        )
      : h("div", { class: "margin" }, avatar(author, name)),
    h(
      "div",
      { class: "body" },
      h(
        "h3",
        { class: grouped ? "hidden" : "byline" },
        h(
          "button",
          {
            type: "button",
            class: "author",
            on: {
              click: who,
              contextmenu: (/** @type {Event} */ event) => (event.preventDefault(), who(event)),
            },
          },
          name,
        ),
        author.bot && h("span", { class: "tag" }, word(locale, "botTag")),
        h("time", { class: "hint", datetime: message.timestamp }, sent(message.timestamp, locale)),
      ),
      h("div", { class: "content", "data-testid": "content" }, content(message, scene, name)),
      scene.failure && h("p", { class: "failure", role: "alert", "data-testid": "failure" }, scene.failure),
      message.thread && threadCard(message.thread, scene),
      ephemeral &&
        h(
          "p",
          { class: "only-you hint", "data-testid": "only-you" },
          word(locale, "onlyYou"),
          " • ",
          h(
            "button",
            { type: "button", class: "link", on: { click: scene.dismiss } },
            word(locale, "dismiss"),
          ),
          " ",
          Boolean((message.flags ?? 0) & V2) && editedMark(message, locale),
        ),
    ),
  );
}

/** The line over a message: what it replies to, or the command it answers. @param {any} message @param {Scene} scene */
function above(message, scene) {
  const { locale } = scene.context;
  const command = message.interaction?.name ?? message.interaction_metadata?.name;
  const user = message.interaction?.user ?? message.interaction_metadata?.user;
  if (command && user) {
    const name = called(scene.store.user(user.id) ?? user);
    const slash = message.interaction?.type === 2 && message.type !== CONTEXT_COMMAND;
    const shown = shownName(scene.store.commands, command, slash, locale);
    return h(
      "div",
      { class: "above", "data-testid": "used" },
      icon("reply"),
      h(
        "span",
        {},
        word(locale, "used", { name }),
        h("span", { class: "mention" }, slash ? `/${shown}` : shown),
      ),
    );
  }
  const reply = message.message_reference?.message_id;
  if (!reply || (message.type !== REPLY && message.type !== 0)) return null;
  const original = message.referenced_message ?? scene.loaded(reply);
  if (!original && message.referenced_message === undefined) return null; // too old to be at hand, and not sent along
  if (!original)
    return h(
      "div",
      { class: "above", "data-testid": "reply" },
      icon("reply"),
      h("em", {}, word(locale, "original")),
    );
  const name = called(scene.store.user(original.author?.id) ?? original.author);
  const visit = () => scene.context.visit(message.message_reference.channel_id ?? message.channel_id, reply);
  return h(
    "div",
    { class: "above", "data-testid": "reply" },
    icon("reply"),
    h(
      "button",
      {
        type: "button",
        class: "link",
        "aria-label": word(locale, "replying", { name }),
        on: { click: visit },
      },
      h("strong", {}, name),
      " ",
      h("span", { class: "brief" }, brief(original, scene)),
    ),
  );
}

/** @param {any} message @param {Scene} scene */
function brief(message, scene) {
  const text = markdown((message.content ?? "").split("\n")[0], scene.context).textContent ?? "";
  return text.slice(0, 120) || word(scene.context.locale, "picture");
}

/** @param {any} message @param {Scene} scene @param {string} name @returns {any[]} */
function content(message, scene, name) {
  const { locale, context } = { locale: scene.context.locale, context: scene.context };
  const flags = message.flags ?? 0;
  if (flags & LOADING) {
    return [
      h(
        "p",
        { class: "thinking", "data-testid": "thinking" },
        h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
        word(locale, "thinking", { name }),
      ),
    ];
  }
  const edited = editedMark(message, locale);
  if (message.type === THREAD_STARTED) {
    return [
      h(
        "p",
        {},
        word(locale, "startedThread", { name }),
        h(
          "button",
          {
            type: "button",
            class: "link",
            on: { click: () => context.visit(message.message_reference?.channel_id ?? message.id) },
          },
          message.content,
        ),
      ),
    ];
  }
  if (flags & V2) return [...components(message.components, scene), !(flags & EPHEMERAL) && edited];
  const embedded = new Set();
  for (const embed of message.embeds ?? []) {
    for (const part of [embed.image, embed.thumbnail, embed.footer && { url: embed.footer.icon_url }]) {
      const file = attachmentOf(message, part?.url);
      if (file) embedded.add(file.id);
    }
  }
  const files = (message.attachments ?? []).filter((/** @type {any} */ file) => !embedded.has(file.id));
  const pictures = files.filter(isPicture);
  const others = files.filter((/** @type {any} */ file) => !isPicture(file));
  return [
    message.content && h("div", { class: "text", "data-testid": "text" }, markdown(message.content, context)),
    edited,
    pictures.length > 0 &&
      h(
        "div",
        { class: `gallery of-${Math.min(pictures.length, 4)}` },
        pictures.map((/** @type {any} */ file) => picture(file, locale)),
      ),
    ...others.map((/** @type {any} */ file) => fileCard(file, locale)),
    ...(message.embeds ?? []).map((/** @type {any} */ embed) => drawEmbed(embed, scene)),
    ...components(message.components, scene),
  ];
}

/** @param {any} message @param {string} locale */
const editedMark = (message, locale) =>
  message.edited_timestamp &&
  h(
    "span",
    { class: "edited hint", title: sent(message.edited_timestamp, locale) },
    `(${word(locale, "edited")})`,
  );

/** @param {any} embed @param {Scene} scene */
function drawEmbed(embed, scene) {
  const { context } = scene;
  const rich = (/** @type {string} */ text) => markdown(text ?? "", context);
  const box = h(
    "div",
    { class: "embed", "data-testid": "embed" },
    embed.thumbnail && scene.picture(embed.thumbnail.url, embed.thumbnail.description, { thumbnail: true }),
    embed.author && h("p", { class: "embed-author" }, embed.author.name),
    embed.title &&
      h(
        "h4",
        { class: "embed-title" },
        embed.url ? link(embed.url, [embed.title], context) : rich(embed.title),
      ),
    embed.description && h("div", { class: "text" }, rich(embed.description)),
    embed.fields?.length > 0 &&
      h(
        "dl",
        { class: "fields" },
        embed.fields.map((/** @type {any} */ field) =>
          h(
            "div",
            { class: field.inline ? "inline" : "" },
            h("dt", {}, rich(field.name)),
            h("dd", { class: "text" }, rich(field.value)),
          ),
        ),
      ),
    embed.image && scene.picture(embed.image.url, embed.image.description),
    (embed.footer || embed.timestamp) &&
      h(
        "p",
        { class: "hint embed-footer" },
        [embed.footer?.text, embed.timestamp && sent(embed.timestamp, context.locale)]
          .filter(Boolean)
          .join(" • "),
      ),
  );
  if (embed.color) box.style.borderInlineStartColor = colour(embed.color);
  return box;
}

/** @param {any} thread @param {Scene} scene */
function threadCard(thread, scene) {
  return h(
    "button",
    { type: "button", class: "thread-card", on: { click: () => scene.context.visit(thread.id) } },
    icon("thread"),
    h("strong", {}, thread.name),
    h("span", { class: "link" }, word(scene.context.locale, "openThread")),
  );
}
