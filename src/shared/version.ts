/** The version of the service and of its API, as package.json has it. */
export const VERSION = '0.1.0';
