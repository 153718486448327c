import type { Page } from 'playwright-core';

/** Screens that one entry of the navigation leads to, and whose pages have a navigation among themselves. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Numbers: ['Number pools'],
  Developers: ['API keys', 'API requests', 'Webhooks', 'System'],
  Settings: [
    'Workspace',
    'Members',
    'Providers',
    'Trunks',
    'WhatsApp',
    'Credits',
    'Child workspaces',
    'Data and erasure',
    'Audit log',
  ],
};

/** Opens a screen by its link, as a reader does. */
export async function openPlace(page: Page, name: string): Promise<void> {
  if (name === 'Your account') await openUserMenu(page);
  const section = Object.entries(SECTIONS).find(([, names]) => names.includes(name));
  if (section !== undefined) {
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: section[0], exact: true })
      .click();
    const links = page.getByRole('navigation', { name: 'Section' });
    await links.getByRole('link', { name, exact: true }).click();
    return;
  }
  await page.getByRole('link', { name, exact: true }).click();
}

/** Opens the menu with the theme, the account and the sign-out, in any language of the dashboard. */
export const openUserMenu = (page: Page): Promise<void> =>
  page.getByLabel(/^(?:Your menu|Ihr Menü|Su menú|आपका मेनू), /).click();

/** Makes every action of the pages offer its request, as the box of the user menu does. */
export async function showRequests(page: Page): Promise<void> {
  await openUserMenu(page);
  await page.getByLabel('Show requests for scripts').check();
  await page.keyboard.press('Escape');
}

/** The addresses of the screens that a manager reads. */
export const SCREENS = [
  '/',
  '/live',
  '/calls',
  '/chats',
  '/analytics',
  '/agents',
  '/knowledge',
  '/campaigns',
  '/numbers',
  '/number-pools',
  '/do-not-call',
  '/settings/workspace',
  '/settings/members',
  '/settings/providers',
  '/trunks',
  '/whatsapp',
  '/credits',
  '/settings/child-workspaces',
  '/settings/data',
  '/settings/audit-log',
  '/settings/account',
] as const;
/** The addresses of the screens of the developers' section. */
export const DEVELOPER_SCREENS = [
  '/settings/api-key',
  '/settings/requests',
  '/webhooks',
  '/settings/system',
] as const;
