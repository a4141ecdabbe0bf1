/** What the page knows of the world, shared by all seats. */

/** @typedef {{id: string, username: string, global_name?: string, bot?: boolean, locale?: string, permissions?: string, owner?: boolean, manages?: boolean, open?: boolean}} User */
/** @typedef {{id: string, type: number, name?: string, parent_id?: string, recipients?: User[], seats?: string[], denied?: string[], thread_metadata?: any}} Channel */
/** @typedef {{unread: number, mentions: number}} Count */

const DIRECT = new Set([1, 3]);
const THREADS = new Set([10, 11, 12]);

/** Snowflakes in order of age. @param {string} a @param {string} b */
export const older = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/** @param {User | undefined} user */
export const called = (user) => user?.global_name || user?.username || "?";

/** @param {Channel} channel */
export const isThread = (channel) => THREADS.has(channel.type);

/** @param {Channel | undefined} channel */
export const isDirect = (channel) => Boolean(channel && DIRECT.has(channel.type));

/** Fires `change` whenever users, channels, commands or counters have changed. */
export class Store extends EventTarget {
  /** @type {Map<string, User>} */ users = new Map();
  /** @type {Map<string, Channel>} */ channels = new Map();
  /** @type {{id: string, name: string}[]} */ roles = [];
  /** @type {any[]} */ commands = [];
  /** @type {User} */ bot = { id: "0", username: "bot", bot: true };
  /** @type {Map<string, Count>} */ counts = new Map();
  /** What the welcome card offers, if there is one. @type {import("./welcome.js").Welcome | null} */
  welcome = null;
  /** The id after which private messages are shown: as in the real thing, older ones are gone after a reload. @type {string | null} */
  since = null;
  /** Whether a seat has a channel before its eyes. @type {(seat: string, channel: string) => boolean} */
  watching = () => false;

  /** @param {{users: User[], channels: Channel[], roles?: any[], commands: any[], bot: User, welcome: any, since: string}} hello */
  fill(hello) {
    this.since ??= hello.since;
    this.welcome = hello.welcome;
    this.people(hello);
    this.commands = hello.commands;
    this.bot = hello.bot;
    this.changed();
  }

  /** Who there is, and with that who sees what. @param {{users: User[], channels: Channel[], roles?: any[]}} world */
  people({ users, channels, roles }) {
    this.roles = roles ?? this.roles;
    this.users = new Map(users.map((user) => [user.id, user]));
    this.channels = new Map(channels.map((channel) => [channel.id, channel]));
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** People one can play, in the order they came. */
  get seats() {
    return [...this.users.values()].filter((user) => !user.bot);
  }

  /** @param {string} id @returns {User | undefined} */
  user(id) {
    return this.users.get(id) ?? (id === this.bot.id ? this.bot : undefined);
  }

  /** @param {string} seat */
  locale(seat) {
    return this.user(seat)?.locale ?? "en-US";
  }

  /** The places a seat can enter. @param {string} seat */
  places(seat) {
    return [...this.channels.values()].filter((channel) => !channel.seats || channel.seats.includes(seat));
  }

  /** Whose permissions hold in a place: a thread has those of its channel. @param {Channel | undefined} place */
  ruler(place) {
    return place && isThread(place) ? this.channels.get(place.parent_id ?? "") : place;
  }

  /** @param {Channel} channel @param {string} seat */
  title(channel, seat) {
    if (!isDirect(channel)) return channel.name ?? "";
    const others = (channel.recipients ?? []).filter((person) => person.id !== seat);
    return channel.name || others.map(called).join(", ") || called(this.bot);
  }

  /** @param {string} seat @param {string} channel @returns {Count} */
  count(seat, channel) {
    return this.counts.get(`${seat}/${channel}`) ?? { unread: 0, mentions: 0 };
  }

  /** @param {string} seat @returns {Count} */
  total(seat) {
    const sum = { unread: 0, mentions: 0 };
    for (const { id } of this.places(seat)) {
      const count = this.count(seat, id);
      sum.unread += count.unread;
      sum.mentions += count.mentions;
    }
    return sum;
  }

  /** @param {string} seat @param {string} channel */
  seen(seat, channel) {
    if (this.counts.delete(`${seat}/${channel}`)) this.changed();
  }

  /** Takes in one of the world's events. @param {any} event */
  take(event) {
    switch (event.type) {
      case "users":
        this.people(event);
        break;
      case "commands":
        this.commands = event.commands ?? this.commands;
        break;
      case "channel_create":
      case "channel_update":
        this.channels.set(event.channel.id, event.channel);
        break;
      case "channel_delete":
        this.channels.delete(event.channel_id ?? event.channel?.id);
        break;
      case "message_create":
        this.arrived(event);
        break;
      default:
        return;
    }
    this.changed();
  }

  /** @param {any} event */
  arrived(event) {
    const { message } = event;
    const seats = this.channels.get(event.channel_id)?.seats;
    for (const { id } of this.seats) {
      if (seats && !seats.includes(id)) continue;
      if (
        (event.only && event.only !== id) ||
        message.author?.id === id ||
        this.watching(id, event.channel_id)
      )
        continue;
      const count = this.count(id, event.channel_id);
      this.counts.set(`${id}/${event.channel_id}`, {
        unread: count.unread + 1,
        mentions: count.mentions + (mentions(message, id) ? 1 : 0),
      });
    }
  }
}

/** Whether a message calls this person. @param {any} message @param {string} seat */
export function mentions(message, seat) {
  return Boolean(
    message.mention_everyone || message.mentions?.some((/** @type {User} */ user) => user.id === seat),
  );
}
