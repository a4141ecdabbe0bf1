/** The subset of Markdown that messages use, read into elements. */

import { h, outward } from "./dom.js";
import { stamp } from "./dates.js";
import { word } from "./words.js";

/**
 * What the words of a message may refer to.
 * @typedef {object} Context
 * @property {string} locale
 * @property {string} seat who reads
 * @property {(id: string) => string | null} userName
 * @property {(id: string) => string | null} channelName
 * @property {(channel: string, message?: string) => void} visit
 * @property {(id: string, anchor: HTMLElement) => void} person
 * @property {(name: string) => void} command puts a command into the composer
 */

/** @typedef {(match: RegExpExecArray, context: Context, depth: number) => Node | Node[] | null} Rule */

const pair = (/** @type {string} */ tag) =>
  /** @type {Rule} */ ((match, context, depth) => h(tag, {}, inline(match[1], context, depth + 1)));

/** Tried in this order at each place of a line; the first that holds wins. @type {[RegExp, Rule][]} */
const INLINE = [
  [/\\([^\p{L}\p{N}\s])/uy, (match) => document.createTextNode(match[1])],
  [/(`+)([\s\S]*?[^`])\1(?!`)/uy, (match) => h("code", {}, match[2].replace(/^ (.*`.*) $/u, "$1"))],
  [/<@!?(\d+)>/uy, (match, context) => mention(match[1], context)],
  [/<@&(\d+)>/uy, (match) => h("span", { class: "mention" }, `@${match[1]}`)],
  [/<#(\d+)>/uy, (match, context) => place(match[1], undefined, context)],
  [
    /<\/([^:>]{1,100}):\d+>/uy,
    (match, context) =>
      h(
        "button",
        { type: "button", class: "mention", on: { click: () => context.command(match[1]) } },
        `/${match[1]}`,
      ),
  ],
  [
    /<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/uy,
    (match, context) => stamp(Number(match[1]), match[2] ?? "f", context.locale),
  ],
  [/<a?:(\w{2,32}):\d+>/uy, (match) => document.createTextNode(`:${match[1]}:`)],
  [/<(https?:\/\/[^\s>]+)>/uy, (match, context) => link(match[1], null, context)],
  [
    /\[((?:[^\][\\]|\\.)+)\]\(<?(https?:\/\/[^\s)>]+)>?(?:\s+"[^"]*")?\)/uy,
    (match, context, depth) => link(match[2], inline(match[1], context, depth + 1), context),
  ],
  [/https?:\/\/[^\s<]*[^\s<.,:;"'\]\)!?*_~|]/uy, (match, context) => link(match[0], null, context)],
  [/@(everyone|here)\b/uy, (match) => h("span", { class: "mention mine" }, match[0])],
  [
    /\*\*\*((?:\\.|[^\\])+?)\*\*\*(?!\*)/suy,
    (match, context, depth) => h("strong", {}, h("em", {}, inline(match[1], context, depth + 1))),
  ],
  [/\*\*((?:\\.|[^\\])+?)\*\*(?!\*)/suy, pair("strong")],
  [/__((?:\\.|[^\\])+?)__(?!_)/suy, pair("u")],
  [/~~((?:\\.|[^\\])+?)~~/suy, pair("s")],
  [
    /\|\|((?:\\.|[^\\])+?)\|\|/suy,
    (match, context, depth) => spoiler(inline(match[1], context, depth + 1), context),
  ],
  [/\*(?=\S)((?:\\.|\*\*|[^\\*])+?)(?<=\S)\*(?!\*)/suy, pair("em")],
  [/\b_((?:\\.|__|[^\\_])+?)_(?![\p{L}\p{N}_])/suy, pair("em")],
];

// Where a rule could begin; everything before is plain text.
const BEGIN = /[\\`<[@*_~|]|https?:/gu;
const DEEPEST = 12;

/** @param {string} text @param {Context} context @param {number} [depth] @returns {Node[]} */
export function inline(text, context, depth = 0) {
  /** @type {Node[]} */
  const nodes = [];
  let plain = 0;
  let at = 0;
  while (depth < DEEPEST && at < text.length) {
    BEGIN.lastIndex = at;
    const begin = BEGIN.exec(text);
    if (!begin) break;
    at = begin.index;
    const found = firstRule(text, at, context, depth);
    if (!found) {
      at += begin[0].length;
      continue;
    }
    if (at > plain) nodes.push(document.createTextNode(text.slice(plain, at)));
    nodes.push(...found.nodes);
    at = plain = found.end;
  }
  if (plain < text.length) nodes.push(document.createTextNode(text.slice(plain)));
  return nodes;
}

/** @param {string} text @param {number} at @param {Context} context @param {number} depth */
function firstRule(text, at, context, depth) {
  for (const [pattern, rule] of INLINE) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) continue;
    const end = at + match[0].length;
    const made = rule(match, context, depth);
    if (made) return { nodes: Array.isArray(made) ? made : [made], end };
  }
  return null;
}

/** @param {string} id @param {Context} context */
function mention(id, context) {
  const name = context.userName(id);
  if (name === null) return h("span", { class: "mention" }, `<@${id}>`);
  const mine = id === context.seat ? "mention mine" : "mention";
  /** @type {HTMLElement} */
  const button = h(
    "button",
    { type: "button", class: mine, on: { click: () => context.person(id, button) } },
    `@${name}`,
  );
  return button;
}

/** @param {string} id @param {string | undefined} message @param {Context} context */
function place(id, message, context) {
  const name = context.channelName(id);
  if (name === null) return h("span", { class: "mention" }, "#?");
  return h(
    "button",
    { type: "button", class: "mention", on: { click: () => context.visit(id, message) } },
    message ? `#${name} ›` : `#${name}`,
  );
}

/**
 * A link: to a channel or message of this world it is followed in the page itself.
 * @param {string} url @param {any[] | null} children @param {Context} context @param {string} [style] a class
 */
export function link(url, children, context, style) {
  const jump = /^https:\/\/[\w.]+\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/u.exec(url);
  if (!jump || context.channelName(jump[1]) === null) return outward(url, style ?? null, children ?? url);
  if (!children) return place(jump[1], jump[2], context);
  const visit = () => context.visit(jump[1], jump[2]);
  return h("button", { type: "button", class: style ?? "jump", on: { click: visit } }, children);
}

/** @param {Node[]} children @param {Context} context */
function spoiler(children, context) {
  const inner = h("span", { class: "spoiler-text", hidden: true }, children);
  const cover = h("button", {
    type: "button",
    class: "spoiler",
    "aria-label": word(context.locale, "spoiler"),
  });
  cover.textContent = "▒".repeat(Math.min(12, Math.max(3, inner.textContent.length)));
  cover.addEventListener("click", () => {
    inner.hidden = false;
    cover.remove();
  });
  return h("span", {}, cover, inner);
}

const FENCE = /^```(?:([\w+#.-]+)\n)?([\s\S]*?)```/u;
const ITEM = /^(\s*)([-*]|\d{1,9}\.)\s+(.*)$/u;

/** A whole message. @param {string} text @param {Context} context @returns {DocumentFragment} */
export function markdown(text, context) {
  const out = document.createDocumentFragment();
  let rest = text.replace(/\r\n?/gu, "\n");
  /** @type {string[]} */
  let lines = [];
  const flush = () => {
    if (lines.length) out.append(h("p", {}, inline(lines.join("\n"), context)));
    lines = [];
  };
  while (rest) {
    const block = takeBlock(rest, context);
    if (block) {
      flush();
      out.append(block.node);
      rest = block.rest;
      continue;
    }
    // A fence may also begin within a line.
    const end = rest.indexOf("\n");
    const line = end < 0 ? rest : rest.slice(0, end);
    const fence = line.indexOf("```");
    if (fence > 0 && FENCE.test(rest.slice(fence))) {
      lines.push(rest.slice(0, fence));
      rest = rest.slice(fence);
      continue;
    }
    lines.push(line);
    rest = end < 0 ? "" : rest.slice(end + 1);
  }
  flush();
  return out;
}

/** @param {string} rest @param {Context} context @returns {{node: Node, rest: string} | null} */
function takeBlock(rest, context) {
  const fence = FENCE.exec(rest);
  if (fence) {
    const code = h("pre", { tabindex: "0" }, h("code", {}, fence[2].replace(/^\n/u, "").replace(/\n$/u, "")));
    return { node: code, rest: rest.slice(fence[0].length).replace(/^\n/u, "") };
  }
  if (rest.startsWith(">>> ")) {
    return { node: h("blockquote", {}, markdown(rest.slice(4), context)), rest: "" };
  }
  const lines = rest.split("\n");
  const heading = /^(#{1,3}) +(\S.*)$/u.exec(lines[0]);
  if (heading) {
    const level = heading[1].length;
    return {
      node: h(`h${level + 3}`, { class: `level-${level}` }, inline(heading[2], context)),
      rest: lines.slice(1).join("\n"),
    };
  }
  if (/^-# +\S/u.test(lines[0])) {
    return {
      node: h("small", { class: "subtext" }, inline(lines[0].slice(3).trim(), context)),
      rest: lines.slice(1).join("\n"),
    };
  }
  if (/^> /u.test(lines[0]) || lines[0] === ">") return takeQuote(lines, context);
  if (ITEM.test(lines[0])) return takeList(lines, context);
  return null;
}

/** @param {string[]} lines @param {Context} context */
function takeQuote(lines, context) {
  let count = 0;
  while (count < lines.length && (lines[count].startsWith("> ") || lines[count] === ">")) count += 1;
  const quoted = lines.slice(0, count).map((line) => line.slice(2));
  return {
    node: h("blockquote", {}, markdown(quoted.join("\n"), context)),
    rest: lines.slice(count).join("\n"),
  };
}

/** Items of one list, deeper ones by their indentation. @param {string[]} lines @param {Context} context */
function takeList(lines, context) {
  /** @type {{indent: number, list: HTMLElement}[]} */
  const open = [];
  let count = 0;
  for (; count < lines.length; count += 1) {
    const item = ITEM.exec(lines[count]);
    if (!item) break;
    const [, space, marker, body] = item;
    while (open.length > 1 && space.length < open[open.length - 1].indent) open.pop();
    const tag = /\d/u.test(marker) ? "ol" : "ul";
    let top = open[open.length - 1];
    const deeper = top && space.length > top.indent + 1 && open.length < DEEPEST;
    if (top && !deeper && top.list.localName !== tag) {
      if (open.length === 1) break; // another list begins
      open.pop();
      top = open[open.length - 1];
    }
    if (!top || deeper || open[open.length - 1].list.localName !== tag) {
      const list = h(tag, tag === "ol" ? { start: Number.parseInt(marker, 10) } : {});
      if (top) (top.list.lastElementChild ?? top.list).append(list);
      open.push({ indent: space.length, list });
    }
    open[open.length - 1].list.append(h("li", {}, inline(body, context)));
  }
  return { node: open[0].list, rest: lines.slice(count).join("\n") };
}
