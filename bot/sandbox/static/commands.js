/** The bot's commands as a person of some language finds, fills and sends them. No elements here. */

/** @typedef {{name: string, value: string | number}} Choice */
/**
 * @typedef {object} Option
 * @property {string} name as registered
 * @property {string} label as shown
 * @property {string} description
 * @property {number} type
 * @property {boolean} required
 * @property {boolean} autocomplete
 * @property {Choice[]} choices
 * @property {number} [min_value]
 * @property {number} [max_value]
 * @property {number} [min_length]
 * @property {number} [max_length]
 */
/** @typedef {{path: string, label: string, description: string, options: Option[]}} Leaf a command one can send */
/** @typedef {{text: string, picked: Choice | null, file?: File}} Entry what stands in an option's field */
/** @typedef {Record<string, string | number | boolean | File>} Given the values of a command's options by name */

export const TYPE = {
  group: 2,
  sub: 1,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  file: 11,
};
/** Bytes of a file that may be sent. */
const LARGEST = 10 * 2 ** 20;
const GUILD = 0;
const BOT_DM = 1;

/** @param {any} part @param {string} field @param {string} locale */
const translated = (part, field, locale) => part[`${field}_localizations`]?.[locale] ?? part[field] ?? "";

/** Where and as whom a person looks for commands. @typedef {{locale: string, direct: boolean, permissions?: string}} Looker */

/** @param {any} command @param {Looker} looker */
function fits(command, { direct, permissions }) {
  if (command.contexts && !command.contexts.includes(direct ? BOT_DM : GUILD)) return false;
  if (
    direct ||
    command.default_member_permissions === null ||
    command.default_member_permissions === undefined
  )
    return true;
  const needed = BigInt(command.default_member_permissions);
  return needed > 0n && (BigInt(permissions ?? 0) & needed) === needed;
}

/** Every sendable slash command, subcommands by their full path. @param {any[]} commands @param {Looker} looker @returns {Leaf[]} */
export function leaves(commands, looker) {
  return commands
    .filter((command) => (command.type ?? 1) === 1 && fits(command, looker))
    .flatMap((command) => below(command, [], [], looker.locale));
}

/** @param {any} part @param {string[]} path @param {string[]} labels @param {string} locale @returns {Leaf[]} */
function below(part, path, labels, locale) {
  const here = [...path, part.name];
  const shown = [...labels, translated(part, "name", locale)];
  const options = part.options ?? [];
  if (options.some((/** @type {any} */ option) => option.type <= TYPE.group)) {
    return options.flatMap((/** @type {any} */ option) => below(option, here, shown, locale));
  }
  return [
    {
      path: here.join(" "),
      label: shown.join(" "),
      description: translated(part, "description", locale),
      options: options.map((/** @type {any} */ option) => ({
        ...option,
        label: translated(option, "name", locale),
        description: translated(option, "description", locale),
        required: Boolean(option.required),
        autocomplete: Boolean(option.autocomplete),
        choices: (option.choices ?? []).map((/** @type {any} */ choice) => ({
          name: translated(choice, "name", locale),
          value: choice.value,
        })),
      })),
    },
  ];
}

/** Commands of a person's menu. @param {any[]} commands @param {Looker} looker */
export function userCommands(commands, looker) {
  return commands
    .filter((command) => command.type === 2 && fits(command, looker))
    .map((command) => ({ path: command.name, label: translated(command, "name", looker.locale) }));
}

/** A command's registered path in the reader's language; the path itself if the command is gone. @param {any[]} commands @param {string} path @param {boolean} slash @param {string} locale */
export function shownName(commands, path, slash, locale) {
  let parts = commands.filter((command) => ((command.type ?? 1) === 1) === slash);
  const shown = [];
  for (const name of slash ? path.split(" ") : [path]) {
    const part = parts.find((one) => one.name === name);
    if (!part) return path;
    shown.push(translated(part, "name", locale));
    parts = part.options ?? [];
  }
  return shown.join(" ");
}

/** Lower case, without accents: what two words are compared by. @param {string} text */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** How well words answer a query; null for not at all. @param {string} query @param {...string} texts */
function score(query, ...texts) {
  const wanted = plain(query).trim();
  if (!wanted) return 0;
  const ranks = texts.map((text, place) => {
    const at = plain(text).indexOf(wanted);
    return at < 0 ? Infinity : place * 3 + (at === 0 ? 0 : /\s/u.test(text[at - 1]) ? 1 : 2);
  });
  const best = Math.min(...ranks);
  return best === Infinity ? null : best;
}

/** The items that answer the query, best first, equal ones in their own order. @template T @param {T[]} items @param {string} query @param {(item: T) => string[]} texts @returns {T[]} */
export function matching(items, query, texts) {
  return items
    .map((item) => ({ item, rank: score(query, ...texts(item)) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => /** @type {number} */ (a.rank) - /** @type {number} */ (b.rank))
    .map(({ item }) => item);
}

/** The command a typed line begins with, once its whole name and a space are there. @param {Leaf[]} all @param {string} line @returns {{leaf: Leaf, rest: string} | null} */
export function typedLeaf(all, line) {
  const text = plain(line.slice(1));
  const found = all
    .flatMap((leaf) => [leaf.path, leaf.label].map((name) => ({ leaf, name: plain(name) })))
    .filter(({ name }) => text.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (!found) return null;
  return { leaf: found.leaf, rest: line.slice(1 + found.name.length).trimStart() };
}

/**
 * `name:value` parts of a typed or pasted line; what stands before them belongs to the first option. `stray` is what no
 * option can take.
 * @param {Leaf} leaf @param {string} line @returns {{found: Map<string, string>, stray: string}}
 */
export function typedOptions(leaf, line) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const named = new Map(
    leaf.options
      .filter((option) => option.type !== TYPE.file)
      .flatMap((option) => [
        [plain(option.label), option],
        [option.name, option],
      ]),
  );
  const first = leaf.options[0];
  let name = first && first.type !== TYPE.file ? first.name : "";
  let stray = "";
  let words = /** @type {string[]} */ ([]);
  const flush = () => {
    if (!words.length) return;
    if (name) found.set(name, words.join(" "));
    else stray = words.join(" ");
  };
  for (const part of line.split(/\s+/u).filter(Boolean)) {
    const split = /^([^:\s]+):(.*)$/u.exec(part);
    const option = split && named.get(plain(split[1]));
    // A second value of one option stays where it is written, and is refused there.
    if (split && option && !found.has(option.name) && !(option.name === name && words.length)) {
      flush();
      name = option.name;
      words = split[2] ? [split[2]] : [];
    } else words.push(part);
  }
  flush();
  return { found, stray };
}

/**
 * The values that a text without an option's name may be; `whole` if it is one and not only its beginning.
 * @param {Option[]} options @param {string} text @param {(option: Option) => Choice[]} known
 * @returns {{option: Option, entry: Entry, whole: boolean}[]}
 */
export function fitting(options, text, known) {
  const meant = plain(text.replace(/^[@#]/u, ""));
  if (!meant) return [];
  return options
    .filter((option) => option.type !== TYPE.file)
    .flatMap((option) => {
      const listed = known(option);
      if (listed.length)
        return listed
          .filter((choice) => plain(choice.name).startsWith(meant))
          .map((choice) => ({
            option,
            entry: { text: choice.name, picked: choice },
            whole: plain(choice.name) === meant,
          }));
      if (valueOf(option, { text, picked: null }, []).error) return [];
      return [{ option, entry: { text, picked: null }, whole: option.type !== TYPE.string }];
    });
}

/**
 * What a text without an option's name may mean, best first, and which of it to light up: an option whose name begins so,
 * or a value. Words that fit nothing are offered as the value of every option, so that whoever chooses one keeps them.
 * @param {Option[]} options @param {string} text @param {(option: Option) => Choice[]} known
 * @returns {{rows: {option: Option, entry?: Entry}[], lit: number}}
 */
export function meant(options, text, known) {
  const fits = fitting(options, text, known);
  const whole = fits.filter((fit) => fit.whole);
  const parts = fits.filter((fit) => !fit.whole && fit.entry.picked);
  const free = fits.filter((fit) => !fit.whole && !fit.entry.picked);
  const names = options
    .filter(({ label, name }) => [label, name].some((one) => plain(one).startsWith(plain(text))))
    .map((option) => ({ option }));
  const sure = [...whole, ...names, ...parts];
  const rows = [...sure, ...free];
  if (rows.length) return { rows, lit: text && sure.length ? 0 : -1 };
  const left = options.filter((option) => option.type !== TYPE.file);
  return { rows: left.map((option) => ({ option, entry: { text, picked: null } })), lit: -1 };
}

/**
 * The value an option's field stands for, or the key of what is wrong with it; undefined when left empty.
 * @param {Option} option @param {Entry} entry @param {Choice[]} known the values that may be meant by their names
 * @returns {{value?: string | number | boolean | File, error?: string, params?: Record<string, number>}}
 */
export function valueOf(option, entry, known) {
  const text = entry.text.trim();
  if (option.type === TYPE.file) return fileOf(option, entry);
  if (entry.picked)
    return option.type === TYPE.boolean
      ? { value: entry.picked.value === "true" }
      : { value: entry.picked.value };
  if (!text) return option.required ? { error: "required" } : {};
  const meant = plain(text.replace(/^<[@#]!?(\d+)>$/u, "$1").replace(/^[@#]/u, ""));
  const named =
    known.find((choice) => plain(choice.name) === meant) ??
    known.find((choice) => plain(String(choice.value)) === meant);
  if (named) return valueOf(option, { text, picked: named }, known);
  if (
    option.choices.length ||
    [TYPE.boolean, TYPE.user, TYPE.channel, TYPE.role, TYPE.mentionable].includes(option.type)
  )
    return { error: "chooseOne" };
  if (option.type === TYPE.integer || option.type === TYPE.number) return numberOf(option, text);
  if (option.min_length && text.length < option.min_length)
    return { error: "shortest", params: { min: option.min_length } };
  if (option.max_length && text.length > option.max_length)
    return { error: "longest", params: { max: option.max_length } };
  return { value: text };
}

/** @param {Option} option @param {Entry} entry */
function fileOf(option, { file }) {
  if (!file) return option.required ? { error: "required" } : {};
  return file.size > LARGEST ? { error: "largest", params: { max: LARGEST / 2 ** 20 } } : { value: file };
}

/** The values as they are sent: a file by its name, its type and its bytes in base64. @param {Given} given */
export async function encoded(given) {
  const sent = await Promise.all(
    Object.entries(given).map(async ([name, value]) => [
      name,
      value instanceof File
        ? { name: value.name, type: value.type, content: await contentOf(value) }
        : value,
    ]),
  );
  return Object.fromEntries(sent);
}

/** @param {File} file @returns {Promise<string>} */
function contentOf(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/u, "")));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

/** @param {Option} option @param {string} text */
function numberOf(option, text) {
  const value = Number(text.replace(",", "."));
  if (Number.isNaN(value)) return { error: "badNumber" };
  if (option.type === TYPE.integer && !Number.isSafeInteger(value)) return { error: "badWhole" };
  const min = option.min_value ?? -Infinity;
  const max = option.max_value ?? Infinity;
  if (value < min || value > max) return { error: "between", params: { min, max } };
  return { value };
}
