import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Without the windows, tabs and menus that a page never sees: a sixth less processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';
const WHOLE = '/usr/bin/chromium';

/**
 * Debian's Chromium, which `scripts/setup.sh --test-peers` installs: its headless shell, or all of it where a test needs
 * more (`isWhole`). CHROMIUM names another one.
 */
export const openChromium = (more: readonly string[] = [], { isWhole = false } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? (!isWhole && existsSync(SHELL) ? SHELL : WHOLE),
    args: [...ARGS, ...more],
  });
