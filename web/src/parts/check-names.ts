/** What each check looks at. */
export const TITLES: Readonly<Record<string, string>> = {
  sip: 'SIP',
  'call workers': 'Call workers',
  'call processes': 'Call processes',
  calls: 'Calls',
  trunks: 'Trunks',
  database: 'Database',
  disk: 'Disk',
  clock: 'Clock',
  recordings: 'Recordings',
  'recordings of other processes': 'Recordings of other processes',
  voices: 'Voices',
  recogniser: 'Recogniser',
  recognisers: 'Recognisers',
  vendors: 'Vendors',
  webhooks: 'Webhooks',
  readiness: 'Readiness',
  'not draining': 'Takes new calls',
  outcomes: 'Outcomes of calls are stored',
};

/** What to do when a readiness check fails or has a note, by its name. */
export const FIXES: Readonly<Record<string, string>> = {
  database: 'Start PostgreSQL, or correct its address in the settings, then reload this page.',
  sip: 'Another program may hold the SIP port: set a free one and restart.',
  trunks: 'Check the address, account and password of the trunk in the provision file, and the firewall.',
  vendors:
    'Check the keys and credit of the vendors. Calls go on with the next vendor of the list, or on this machine.',
  webhooks: 'Read the failed deliveries on the screen Webhooks, and mend the receiver.',
  outcomes: 'The database does not accept writes: check its disk and connections.',
  'call workers': 'A worker is restarting. If this stays, read the log of the process.',
  voices:
    'Run callwright doctor as the user of the service. Calls start again by themselves when the voices work.',
  recogniser: 'Run callwright doctor as the user of the service, or set a vendor for recognition.',
  recognisers:
    'Run callwright doctor, which speaks to each recogniser and reads its words back. Until it is mended, calls are heard by the next recogniser, or by this machine.',
  recordings: 'Free space on the disk of recordings, or set an S3 store.',
  'not draining': 'The process is stopping and takes no new calls.',
  calls: 'The process is overloaded or hangs: restart it if this stays.',
  readiness: 'The process is overloaded: reload in a moment, then read its log.',
};
