/** The version of the service and of its API, as package.json has it. */
export const VERSION = '1.0.0-rc.1';
