/** A package that npm installed lies in `node_modules/callwright`; anything else is a clone, or a folder that `npm run build` made. */
export const isPackage = (here: string = import.meta.url): boolean =>
  here.includes('/node_modules/callwright/');

/** What a command line begins with that runs this program. */
export const ownCommand = (here: string = import.meta.url): string =>
  isPackage(here) ? 'npx callwright' : 'bin/callwright';
