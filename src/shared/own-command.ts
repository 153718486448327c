/** A package that npm installed lies in `node_modules/callwright`; anything else is a clone, or a folder that `npm run build` made. */
export const isPackage = (here: string = import.meta.url): boolean =>
  here.includes('/node_modules/callwright/');

/** What a command line begins with that runs this program: as the launcher was called, if that started it. */
export const ownCommand = (here: string = import.meta.url): string =>
  process.env['CALLWRIGHT_COMMAND'] ?? (isPackage(here) ? 'npx callwright' : 'bin/callwright');

/** The error of a client that nothing answers at `url`. */
export const unreachable = (url: string, here: string = import.meta.url): string =>
  `no service is reachable at ${url}: start one with ${isPackage(here) ? `${ownCommand(here)} start` : 'npm start'}, or set --url`;
