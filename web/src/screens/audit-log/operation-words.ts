/** What an operation did, in the past tense, by the verb its name begins with. */
const VERBS: Readonly<Record<string, string>> = {
  accept: 'accepted',
  add: 'added',
  allocate: 'allocated',
  archive: 'archived',
  begin: 'began',
  change: 'changed',
  check: 'checked',
  compare: 'compared',
  confirm: 'confirmed',
  create: 'created',
  delete: 'deleted',
  discard: 'discarded',
  download: 'downloaded',
  edit: 'changed',
  enable: 'enabled',
  end: 'ended',
  erase: 'erased',
  export: 'exported',
  get: 'read',
  give: 'gave',
  hand: 'handed',
  hang: 'hung',
  invite: 'invited a colleague',
  list: 'listed',
  listen: 'listened',
  make: 'made',
  move: 'moved',
  open: 'opened',
  pause: 'paused',
  place: 'placed',
  preview: 'previewed',
  publish: 'published',
  query: 'searched',
  read: 'read',
  recover: 'sent again',
  regenerate: 'replaced',
  remove: 'removed',
  rename: 'renamed',
  replay: 'replayed',
  report: 'downloaded the report of',
  resend: 'sent again',
  reset: 'reset',
  restore: 'restored',
  resume: 'resumed',
  revoke: 'revoked',
  roll: 'rolled',
  rotate: 'replaced',
  run: 'ran',
  save: 'saved',
  send: 'sent',
  set: 'set',
  sign: 'signed',
  start: 'started',
  take: 'took',
  terminate: 'terminated',
  test: 'tested',
  update: 'changed',
  upload: 'uploaded',
  use: 'used',
  watch: 'followed',
  withdraw: 'withdrew',
};
const NOUNS: Readonly<Record<string, string>> = {
  agent: 'assistant',
  agents: 'assistants',
  dnc: 'do-not-call list',
};

/** `listenToCall` as "Listened to call". */
export function operationWords(operation: string): string {
  const [verb = '', ...rest] = operation
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[._]/g, ' ')
    .toLowerCase()
    .split(' ');
  const words = [VERBS[verb] ?? verb, ...rest.map((word) => NOUNS[word] ?? word)].join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of an object in an entry: `agent_id` as "assistant". */
export const objectWords = (name: string): string =>
  name
    .replace(/_ids?$/, '')
    .split('_')
    .map((word) => NOUNS[word] ?? word)
    .join(' ');
