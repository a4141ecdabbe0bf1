/** Every word of the page itself, in its languages. What the bot says comes from the bot. */

/** @type {Record<string, [en: string, es: string]>} */
const WORDS = {
  addPerson: ["Add a person", "Añadir una persona"],
  add: ["Add", "Añadir"],
  allOptions: ["Options", "Opciones"],
  altText: ["Description", "Descripción"],
  archived: ["Archived", "Archivados"],
  archivedNote: [
    "This thread is archived. Writing here opens it again.",
    "Este hilo está archivado. Escribir aquí lo reabre.",
  ],
  badNumber: ["Enter a number", "Escribe un número"],
  badWhole: ["Enter a whole number", "Escribe un número entero"],
  between: ["From {min} to {max}", "De {min} a {max}"],
  botTag: ["BOT", "BOT"],
  cancel: ["Cancel", "Cancelar"],
  channels: ["Channels", "Canales"],
  choose: ["Make a choice", "Elige una opción"],
  chooseOne: ["Choose one from the list", "Elige una de la lista"],
  close: ["Close", "Cerrar"],
  commands: ["Commands", "Comandos"],
  connected: ["Connected again", "Conectado de nuevo"],
  connecting: ["Connecting…", "Conectando…"],
  directMessages: ["Direct messages", "Mensajes directos"],
  dismiss: ["Dismiss message", "Descartar mensaje"],
  done: ["Done", "Listo"],
  download: ["Download {name}", "Descargar {name}"],
  edited: ["edited", "editado"],
  empty: [
    "Nothing here yet. Type / to see the commands.",
    "Aún no hay nada. Escribe / para ver los comandos.",
  ],
  failed: ["This interaction failed", "Esta interacción ha fallado"],
  genericError: ["Something went wrong. Try again.", "Algo ha ido mal. Inténtalo de nuevo."],
  gone: ["This channel no longer exists.", "Este canal ya no existe."],
  language: ["Language", "Idioma"],
  leaveCommand: ["Leave the command", "Dejar el comando"],
  loading: ["Loading…", "Cargando…"],
  lost: ["Connection lost. Trying again…", "Conexión perdida. Reintentando…"],
  lockedNote: ["This thread is locked.", "Este hilo está bloqueado."],
  longest: ["At most {max} characters", "Como mucho {max} caracteres"],
  mention: ["Mention", "Mencionar"],
  mentions: ["Mentions: {n}", "Menciones: {n}"],
  messages: ["Messages in {name}", "Mensajes de {name}"],
  messageField: ["Message {name}", "Mensaje a {name}"],
  moreOptions: ["+{n} more", "+{n} más"],
  moreOptionsName: ["More options", "Más opciones"],
  name: ["Name", "Nombre"],
  newMessages: ["New messages", "Mensajes nuevos"],
  no: ["False", "Falso"],
  noCommands: ["No command of that name", "Ningún comando con ese nombre"],
  noMatch: ["No options match your search", "Ninguna opción coincide con tu búsqueda"],
  noAnswer: ["The application did not respond", "La aplicación no ha respondido"],
  notYet: ["The bot has not registered its commands yet.", "El bot aún no ha registrado sus comandos."],
  older: ["Show older messages", "Mostrar mensajes anteriores"],
  onlyYou: ["Only you can see this", "Solo tú puedes ver esto"],
  openChannels: ["Show channels", "Mostrar canales"],
  openThread: ["Open the thread", "Abrir el hilo"],
  optionalOption: ["Optional", "Opcional"],
  original: ["The original message was deleted", "El mensaje original se eliminó"],
  people: ["People", "Personas"],
  picture: ["Picture", "Imagen"],
  playAnimation: ["Play the animation", "Reproducir la animación"],
  refused: ["Not accepted: {text}", "No aceptado: {text}"],
  removeOption: ["Remove {name}", "Quitar {name}"],
  replying: ["In reply to {name}", "En respuesta a {name}"],
  required: ["This option is required", "Esta opción es obligatoria"],
  requiredField: ["Required", "Obligatorio"],
  sandbox: ["Sandbox", "Sandbox"],
  seat: ["Seat: {name}", "Asiento: {name}"],
  seats: ["Seats", "Asientos"],
  send: ["Send", "Enviar"],
  sending: ["Sending command…", "Enviando el comando…"],
  shortest: ["At least {min} characters", "Al menos {min} caracteres"],
  showAlt: ["Show the picture's description", "Mostrar la descripción de la imagen"],
  sideBySide: ["Two seats side by side", "Dos asientos lado a lado"],
  spoiler: ["Spoiler, show it", "Spoiler, mostrar"],
  startedThread: ["{name} started a thread: ", "{name} ha abierto un hilo: "],
  submit: ["Submit", "Enviar"],
  themeDark: ["Dark theme", "Tema oscuro"],
  themeLight: ["Light theme", "Tema claro"],
  thinking: ["{name} is thinking…", "{name} está pensando…"],
  today: ["Today at {time}", "Hoy a las {time}"],
  typing: ["{name} is typing…", "{name} está escribiendo…"],
  unread: ["Unread: {n}", "Sin leer: {n}"],
  unsupported: ["This part cannot be shown here.", "Esta parte no se puede mostrar aquí."],
  used: ["{name} used ", "{name} ha usado "],
  writeTo: ["Message", "Escribir"],
  yes: ["True", "Verdadero"],
  yesterday: ["Yesterday at {time}", "Ayer a las {time}"],
};

/** The languages a seat can take, each by its own name. */
export const LOCALES = { "en-US": "English", "es-ES": "Español" };

/**
 * The page's word in a seat's language; `{parts}` are filled from `params`.
 * @param {string} locale
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 */
export function word(locale, key, params = {}) {
  const entry = WORDS[key];
  if (!entry) throw new Error(`no word ${key}`);
  return entry[locale.startsWith("es") ? 1 : 0].replace(/\{(\w+)\}/gu, (_, name) =>
    String(params[name] ?? ""),
  );
}
